import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findMissing, type Page } from '@waymark/testing/browser';
import { BrowserFixture } from './browser-fixture.js';

const inBrowser = findMissing() === '' ? describe : describe.skip;

inBrowser('the form of a flow (T9)', () => {
  let here: BrowserFixture;
  let page: Page;

  beforeAll(async () => {
    here = await BrowserFixture.open();
    page = await here.openPage('/development/flows/onboarding/edit');
  });
  afterAll(() => here.close());

  const focused = (label: string) =>
    page.getByLabel(label).and(page.locator(':focus')).first().waitFor();
  const problems = () => page.getByRole('region', { name: 'Problems' });
  const choose = (block: string) =>
    page.getByRole('region', { name: 'Blocks' }).getByRole('button', { name: block }).click();

  test.each([
    ['modal', 'Title'],
    ['tour', 'Title'],
    ['custom', 'text'],
    ['branch', 'Property'],
    ['split', 'a: share'],
    ['gate', 'Then: target 1'],
    ['delay', 'Waits for'],
    ['webhook', 'Address'],
    ['flow-trigger', 'Flow'],
  ])('puts the focus of a new block, a %s, on its %s', async (type, label) => {
    await page.getByLabel('Type of the new block').selectOption(type);
    await page.getByRole('button', { name: 'Add block' }).click();
    await focused(label);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'Blocks' }).waitFor();
  });

  test('puts it there too for a block that is put on a path, whose title is typed at once', async () => {
    await page.getByRole('button', { name: 'Add a block between start and welcome' }).click();
    await page.getByRole('button', { name: /^Card/ }).click();
    await focused('Title');
    await page.keyboard.type('Before all');
    await page.locator('.picture text').filter({ hasText: 'Before all' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'Blocks' }).waitFor();
  });

  test('names the part that has a problem and leads to its field; the text has lines', async () => {
    await page.getByRole('button', { name: 'Show as text' }).click();
    await page.getByRole('textbox', { name: 'Condition' }).fill('user.properties.plan = "pro"');
    const entering = problems().getByRole('button', { name: 'Who enters' });
    await entering.waitFor();
    await choose('setup');
    await page.getByLabel('Block', { exact: true }).waitFor();
    await entering.click();
    await focused('Condition');
    await page.getByRole('tab', { name: 'YAML' }).click();
    const line = problems().getByRole('button', { name: 'line 5', exact: true });
    await line.waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await line.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Form' }).click();
  });

  test('leads to a folded field of a folded item, from a walk too', async () => {
    await choose('setup');
    const item = page.locator('.item-form').filter({ hasText: 'Invite a colleague' });
    await item.locator('summary').first().click();
    await item.getByText('Done by itself').click();
    await item.getByRole('button', { name: 'Show as text' }).click();
    await item.getByRole('textbox', { name: 'Done when' }).fill('user.');
    const problem = problems().getByRole('button', {
      name: 'Invite a colleague (invite), Done by itself',
    });
    await problem.waitFor();
    await page.getByRole('button', { name: '← The whole flow' }).click();
    await page.getByRole('tab', { name: 'Play' }).click();
    await problem.click();
    await focused('Done when');
    expect(here.errors).toEqual([]);
  });
});
