import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { publishFlows } from '@waymark/domain/flows';
import { findMissing, type Page } from '@waymark/testing/browser';
import { BrowserFixture } from './browser-fixture.js';
import { Visitor } from './studio-fixture.js';

const missing = findMissing();
const inBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

const spoken = (title: string, german: string) => `flow: spoken
name: Spoken # in the words of the team
language: en
start: hello
blocks:
  hello:
    type: modal
    fields: { title: ${title}, body: "Some **bold** words" }
    paths: { complete: list, dismiss: finish }
  list:
    type: checklist
    fields: { title: To do }
    items:
      photo: { fields: { title: Add a photo } }
    paths: { 'complete,dismiss': finish }
languages:
  de:
    hello: { title: ${german} } # checked
    photo: { title: Ein Bild }
`;

inBrowser('texts in other languages (X5)', () => {
  let here: BrowserFixture;
  let page: Page;
  beforeAll(async () => {
    here = await BrowserFixture.open();
    for (const text of [spoken('Hello', 'Hallo'), spoken('Good evening', 'Hallo')]) {
      const { draft } = parseFlowFile(text, { file: 'spoken.yaml' });
      const change = { message: 'next', migration: 'carry-over' } as const;
      await publishFlows(
        here.fixture.dataSource,
        [draft!],
        { by: 'tester' },
        change,
        new Map([['spoken', { text }]]),
      );
    }
    page = await here.openPage('/development/flows/spoken/edit');
  });
  afterAll(() => here.close());

  const texts = (name: string) => page.getByRole('region', { name: `Texts in ${name}` });

  test('stand beside their originals, with what is missing and what is older than its original', async () => {
    await page.getByRole('combobox', { name: 'Texts in' }).selectOption('de');
    const german = texts('German (de)');
    await german.getByText('1 older than the original').waitFor();
    await german.getByText('2 missing').waitFor();
    await german.getByText('Good evening', { exact: true }).waitFor();
    await german.getByLabel('Title in German (de)').first().fill('Guten Abend');
    await german.getByText('1 older than the original').waitFor({ state: 'detached' });
    await german.getByLabel('Only what is missing or older').check();
    await german.getByLabel('Title in German (de)').pressSequentially('Zu tun', { delay: 60 });
    expect(await page.locator('input:focus').inputValue()).toBe('Zu tun');
    await german.getByText('1 missing').waitFor();
    await page.getByRole('tab', { name: 'Preview' }).click();
    await german.getByLabel('Text (Markdown) in German (de)').fill('Ein **fettes** Wort');
    await page.frameLocator('iframe').getByText('Ein fettes Wort').waitFor();
    await german.getByText('all translated').waitFor();
  });

  test('are no question to somebody whose flow has one language, and begin at the end of its form', async () => {
    const other = await here.openPage('/development/flows/onboarding/edit');
    await other.getByLabel('Name', { exact: true }).waitFor();
    const choice = other.getByRole('combobox', { name: 'Texts in' });
    expect(await choice.count()).toBe(0);
    await other.getByRole('button', { name: 'Translate this flow…' }).click();
    const dialog = other.getByRole('dialog', { name: 'Translate this flow' });
    await dialog.getByLabel('Its texts are written in').fill('en');
    await dialog.getByLabel('Translate into').fill('de');
    await dialog.getByRole('button', { name: 'Translate', exact: true }).click();
    await other.getByRole('region', { name: 'Texts in German (de)' }).waitFor();
    await choice.selectOption('English (en)');
    await other.getByLabel('Name', { exact: true }).waitFor();
    expect(await other.getByRole('button', { name: 'Translate this flow…' }).count()).toBe(0);
    await choice.selectOption('+ another language …');
    await other.getByRole('dialog', { name: 'Another language' }).waitFor();
    await other.close();
  });

  test('follow an item to its new identifier, and a language begins with its first text', async () => {
    await page.getByRole('combobox', { name: 'Texts in' }).selectOption('English (en)');
    await page
      .getByRole('region', { name: 'Blocks' })
      .getByRole('button', { name: 'list' })
      .click();
    await page.getByText('Add a photo').click();
    await page.getByLabel('Item', { exact: true }).fill('picture');
    await page.keyboard.press('Enter');
    await page.getByText('Applications may ask for').waitFor();
    await page.getByRole('combobox', { name: 'Texts in' }).selectOption('+ another language …');
    await page.getByLabel('Translate into').fill('pt-br');
    await page.getByRole('button', { name: 'Translate', exact: true }).click();
    await texts('Brazilian Portuguese (pt-BR)').getByText('4 missing').waitFor();
    await texts('Brazilian Portuguese (pt-BR)')
      .getByLabel('Title in Brazilian Portuguese (pt-BR)')
      .first()
      .fill('Tarefas');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('saved', { exact: true }).waitFor();
    const visitor = new Visitor(here.studio.url);
    await visitor.enter(here.studio.address);
    const { text } = await visitor.ask('GET /api/development/flows/spoken/source');
    const written = (JSON.parse(text) as { text: string }).text;
    expect(written).toContain('name: Spoken # in the words of the team\n');
    expect(written).toContain('    hello: { title: Guten Abend, body: ');
    expect(written).toContain('    picture: { title: Ein Bild }\n');
    expect(written).toContain('  pt-BR:\n    list:\n      title: Tarefas\n');
    expect(here.errors).toEqual([]);
  });
});
