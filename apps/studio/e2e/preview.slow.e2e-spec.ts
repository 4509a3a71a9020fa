import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { publishFlows } from '@waymark/domain/flows';
import { findBarriers, findMissing, type Page } from '@waymark/testing/browser';
import { until } from '@waymark/testing/services';
import { BrowserFixture } from './browser-fixture.js';

const missing = findMissing();
const inBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

const SHOWN = `flow: shown
language: en
start: hello
blocks:
  hello:
    type: modal
    fields: { title: Hello, body: "Some **bold** words", complete-label: Go on }
    paths: { complete: round, dismiss: finish }
  round:
    type: tour
    items:
      one: { fields: { title: The first, anchor: "#search" } }
      two: { fields: { title: The second } }
    paths: { 'complete,dismiss': list }
  list:
    type: checklist
    fields: { title: To do }
    items:
      photo: { fields: { title: Add a photo, body: Smile } }
      team: { fields: { title: Join a team, body: Any } }
    paths: { 'complete,dismiss': spots }
  spots:
    type: hints
    items:
      save: { fields: { title: Saving, body: By itself } }
      share: { fields: { title: Sharing } }
    paths: { 'complete,dismiss': stars }
  stars: { type: custom, fields: { question: How was it? }, paths: { answered: finish } }
languages:
  de:
    hello: { title: Hallo }
`;
const ADDRESS = '/development/flows/shown/edit';

inBrowser('a draft as its users will see it', () => {
  let here: BrowserFixture;
  beforeAll(async () => {
    here = await BrowserFixture.open();
    const { draft, problems } = parseFlowFile(SHOWN, { file: 'shown.yaml' });
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    await publishFlows(here.fixture.dataSource, [draft!], { by: 'tester' });
  });
  afterAll(() => here.close());

  const frame = (page: Page) => page.frameLocator('iframe');
  const schemeOf = (page: Page) => frame(page).locator('html').getAttribute('style');
  const choose = (page: Page, block: string) =>
    page.getByRole('region', { name: 'Blocks' }).getByRole('button', { name: block }).click();

  test('the block under the cursor follows what is typed, dark and on a phone, in each language, and takes no focus (N10)', async () => {
    const page = await here.openPage(ADDRESS);
    await page.getByRole('tab', { name: 'Preview' }).click();
    const shown = frame(page);
    await shown.locator('dialog').getByText('Some bold words').waitFor();
    await choose(page, 'hello');
    const title = page.getByLabel('Title', { exact: true });
    await title.fill('');
    await title.pressSequentially('Typed <b>here</b>');
    await shown.locator('dialog').getByText('Typed <b>here</b>').waitFor();
    expect(await page.locator('input:focus').inputValue()).toBe('Typed <b>here</b>');
    expect(await page.locator('iframe').getAttribute('inert')).toBe('');
    await page.getByLabel('Language', { exact: true }).selectOption('de');
    await shown.locator('dialog').getByText('Hallo').waitFor();
    await page.getByRole('button', { name: 'Phone' }).click();
    await until(async () => (await page.locator('iframe').boundingBox())!.width === 375);
    await page.getByRole('button', { name: 'Dark' }).click();
    await until(async () => (await schemeOf(page)) === 'color-scheme: dark;');
    await page.close();
  });

  test('the item under the cursor is shown in its block, by form and in the text (N10)', async () => {
    const page = await here.openPage(ADDRESS);
    await page.getByRole('tab', { name: 'Preview' }).click();
    const shown = frame(page);
    await choose(page, 'round');
    await shown.getByText('The first').waitFor();
    await page.locator('.item-form > summary').nth(1).click();
    await shown.getByText('2 of 2').waitFor();
    await page.getByRole('button', { name: '← The whole flow' }).click();
    await choose(page, 'spots');
    await page.locator('.item-form > summary').first().click();
    await shown.getByText('By itself').waitFor();
    await page.getByRole('tab', { name: 'YAML' }).click();
    await page.locator('.cm-line').filter({ hasText: 'The second' }).click();
    await shown.getByText('2 of 2').waitFor();
    await page.locator('.cm-line').filter({ hasText: 'Go on' }).click();
    await shown.locator('dialog').getByText('Some bold words').waitFor();
    await page.getByRole('tab', { name: 'Form' }).click();
    expect(await page.getByLabel('Block', { exact: true }).inputValue()).toBe('hello');
    await page.getByRole('button', { name: '← The whole flow' }).click();
    await choose(page, 'stars');
    await shown.locator('.custom').getByText('How was it?').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.close();
  });

  test('a draft is played by clicking in it, as a user with given properties would, and nothing is written (N10, I4)', async () => {
    await here.fixture.identify('ada');
    const page = await here.openPage(ADDRESS);
    await page.getByRole('tab', { name: 'Play' }).click();
    const shown = frame(page);
    const press = (name: string) => shown.getByRole('button', { name, exact: true }).click();
    await page.getByText('As somebody who was identified just now').click();
    await page.getByLabel('With the properties of this user').fill('ada');
    await page.getByLabel('With the properties of this user').press('Tab');
    await press('Go on');
    await shown.getByRole('dialog', { name: 'The first' }).waitFor();
    await press('Next');
    await shown.getByRole('dialog', { name: 'The second' }).waitFor();
    await press('Next');
    await press('To do 0 of 2 done');
    await press('Close');
    await press('Saving');
    await shown.getByRole('dialog', { name: 'Saving' }).waitFor();
    await page.getByRole('button', { name: 'Undo the step' }).click();
    await press('To do 0 of 2 done');
    await page.getByText('The application asks for the flow').waitFor();
    expect(await here.fixture.findState('ada', 'shown', 0)).toBeNull();
    expect(here.errors).toEqual([]);
    await page.close();
  });

  test('the frame is of the studio alone, and takes what to draw from it alone (N10)', async () => {
    const { headers } = await fetch(`${here.studio.url}/frames/preview`);
    expect([headers.get('x-frame-options'), headers.get('content-security-policy')]).toEqual([
      'SAMEORIGIN',
      expect.stringMatching(/default-src 'none'.*frame-ancestors 'self'/),
    ]);
    const other = await fetch(`${here.studio.url}/development/flows`);
    expect(other.headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'/);
    const page = await here.browser.newPage();
    await page.goto(`${here.studio.url}/frames/preview`);
    const sheet = page.locator('link');
    expect(await sheet.getAttribute('href')).toMatch(/^\/assets\/preview-/);
    await page.close();
  });
});
