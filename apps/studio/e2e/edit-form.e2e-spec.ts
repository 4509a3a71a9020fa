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
    expect(here.errors).toEqual([]);
  });
});
