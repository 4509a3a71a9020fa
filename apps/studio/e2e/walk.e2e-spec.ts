import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findMissing, type Page } from '@waymark/testing/browser';
import { BrowserFixture } from './browser-fixture.js';
import { serveExample } from './example-page.js';

const missing = findMissing();
const inBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

const NAME = '<img src=x onerror="document.title=1"> & "first" steps';
const TITLE = 'Do: these # things';

/** One story from end to end; each test goes on where the one before it stopped. */
inBrowser('a flow from nothing to its users and back, all in a browser (T12)', () => {
  let here: BrowserFixture;
  let example: Awaited<ReturnType<typeof serveExample>>;
  let studio: Page;
  /** The example application, as its user sees it. */
  let app: Page;

  beforeAll(async () => {
    here = await BrowserFixture.open();
    example = await serveExample(here.blocks.url, here.key);
    await here.fixture.identify('grace', { plan: 'team', since: '2026-11-24T12:00:00Z' });
    studio = await here.openPage('/development/flows');
    app = await here.browser.newPage();
  });
  afterAll(async () => {
    await here.close();
    example.close();
  });

  const inApp = (block: string) => app.getByRole('region', { name: `by-form.${block}` });

  async function sendSomebodyElse(): Promise<void> {
    await here.fixture.catalogue.refresh();
    await here.fixture.identify('ada');
    await here.fixture.read('ada', 'by-form');
    await here.fixture.take('ada', 'by-form', 1, 'welcome', ['complete']);
    await here.fixture.take('ada', 'by-form', 1, 'item', ['complete']);
  }

  test('it is made by form alone, with a block put on a path of the picture, and committed', async () => {
    await studio.getByRole('button', { name: 'New flow' }).click();
    await studio.getByLabel('Identifier').fill('by-form');
    await studio.getByRole('button', { name: 'Begin' }).click();
    await studio.getByLabel('Name', { exact: true }).fill(NAME);
    await studio.getByRole('button', { name: 'Add a block between welcome and finish' }).click();
    await studio.getByRole('button', { name: /^Checklist/ }).click();
    await studio.getByLabel('Title', { exact: true }).first().fill(TITLE);
    await studio.getByLabel('Text (Markdown)').first().fill('In **any** order');
    await studio
      .getByRole('group', { name: 'As users read it' })
      .getByText('any', { exact: true })
      .waitFor();
    await studio.getByRole('button', { name: 'Add item' }).click();
    await studio.keyboard.type('The second of two');
    await studio.locator('.picture text').filter({ hasText: 'The second of two' }).waitFor();
    await studio.getByRole('button', { name: 'Publish…' }).click();
    await studio.getByLabel('What does this change?').fill('made by form');
    await studio.getByRole('button', { name: 'Publish version 1' }).click();
    await studio.getByRole('link', { name: 'Edit' }).waitFor();
    expect(await studio.getByRole('heading', { level: 1 }).innerText()).toBe(NAME);
    expect(await studio.title()).not.toBe('1');
  });

  test('it reaches a user in the example application, who goes on', async () => {
    await app.goto(`${example.url}/?user=grace&flow=by-form`);
    await inApp('welcome').getByRole('button').first().click();
    await inApp('checklist').getByRole('heading', { name: TITLE }).waitFor();
  });

  test('the picture has them without a reload in the block where they are, with their share and who they are (T8)', async () => {
    await studio
      .locator('[data-block="checklist"] .badge')
      .getByText('1', { exact: true })
      .waitFor();
    await studio.locator('.picture text').filter({ hasText: '100 %' }).first().waitFor();
    await studio.locator('[data-block="checklist"]').click();
    await studio
      .getByRole('region', { name: 'Who is here' })
      .getByRole('link', { name: 'grace' })
      .waitFor();
    const item = studio
      .getByRole('listitem')
      .filter({ has: studio.getByRole('heading', { name: 'A title item', exact: true }) });
    await item.getByText('1 there now, 1 reached it, 100 %').waitFor();
    await studio.locator('[data-block="checklist"]').getByText('1 now · item').first().waitFor();
    await item.getByRole('button', { name: 'Who?' }).click();
    await item.getByRole('link', { name: 'grace' }).waitFor();
    await item.getByRole('button', { name: 'Close' }).click();
    await sendSomebodyElse();
    await studio
      .getByRole('region', { name: 'Who is here' })
      .getByRole('link', { name: 'ada' })
      .waitFor();
    await item.getByText('1 there now, 2 reached it, 100 %').waitFor();
    await item.getByText('complete: 1, 50 %').waitFor();
    await studio
      .locator('[data-block="checklist"] .badge')
      .getByText('2', { exact: true })
      .waitFor();
    await studio.getByLabel('Users who entered').selectOption('in the last 24 hours');
    await studio.getByRole('link', { name: 'Funnel' }).click();
    await studio.getByRole('row', { name: /welcome 2/ }).waitFor();
    expect(new URL(studio.url()).searchParams.get('since')).toBe('1d');
    const days = studio.getByRole('region', { name: 'By day' }).getByRole('row');
    const today = new Date().toISOString().slice(0, 10);
    await days.filter({ hasText: today }).waitFor();
    await studio.getByRole('link', { name: 'Picture' }).click();
    await studio.getByRole('link', { name: 'grace' }).click();
  });

  test('their history is scrubbed (T10)', async () => {
    await studio.getByRole('row', { name: /^since Nov 24, 2026, / }).waitFor();
    const slider = studio.getByLabel('Step of the history');
    await slider.focus();
    await studio.keyboard.press('Home');
    await studio.getByText('Before anything happened').waitFor();
    await studio.keyboard.press('ArrowRight');
    await studio.getByText(/step 1 of 2/).waitFor();
    expect(new URL(studio.url()).searchParams.get('revision')).toBe('1');
    await studio.getByRole('button', { name: 'Back to now' }).click();
  });

  test('a reset is seen in the application at once, and so is its undoing (T10)', async () => {
    await studio.getByRole('button', { name: /^Reset/ }).click();
    await studio.getByLabel('Why?').fill('a mistake');
    await studio.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
    await studio.getByRole('button', { name: 'Undo' }).waitFor();
    await inApp('welcome').waitFor();
    await studio.getByRole('button', { name: 'Undo' }).click();
    await inApp('checklist').waitFor();
    await studio.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    await inApp('welcome').waitFor({ state: 'detached' });
  });

  test('what the user does is seen in the studio without a reload, and what the editor did is in the log', async () => {
    await inApp('checklist').getByRole('button').last().click();
    await studio.getByText(/step 5 of 5/).waitFor();
    await studio.getByRole('link', { name: 'Operations' }).click();
    await studio.getByRole('link', { name: 'Log' }).click();
    await studio
      .getByRole('row', { name: new RegExp(`tester reset ${NAME} .* a mistake`) })
      .waitFor();
    await studio.getByRole('row', { name: /tester published .* version 1 made by form/ }).waitFor();
    expect(here.errors).toEqual([]);
  });
});
