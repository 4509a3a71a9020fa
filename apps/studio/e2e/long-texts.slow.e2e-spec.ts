import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findMissing, findSpills, type Page } from '@waymark/testing/browser';
import { BrowserFixture } from './browser-fixture.js';
import { BLOCKS, FLOW, SEGMENT, setUpExtremes, USER } from './extremes.js';
import { picture } from './page-faults.js';
import type { PageView } from './page-views.js';

const missing = findMissing();
const inBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

const flow = `/development/flows/${FLOW}`;
const user = `/development/users/${encodeURIComponent(USER)}`;

const VIEWS: readonly PageView[] = [
  { name: 'flows', at: '/development/flows' },
  { name: 'flows-nothing-found', at: `/development/flows?search=${FLOW}z` },
  { name: 'flow', at: flow },
  { name: 'flow-modal', at: `${flow}?block=${BLOCKS.modal}` },
  { name: 'flow-list', at: `${flow}?block=${BLOCKS.list}` },
  { name: 'flow-hook', at: `${flow}?block=${BLOCKS.hook}` },
  { name: 'flow-archive', at: flow, act: (page) => choose(page, 'Archive…') },
  { name: 'flow-reset', at: flow, act: (page) => choose(page, 'Reset users…') },
  { name: 'funnel', at: `${flow}?tab=funnel` },
  { name: 'versions', at: `${flow}?tab=versions&open=1` },
  { name: 'draft', at: `${flow}?tab=versions&open=0` },
  { name: 'edit', at: `${flow}/edit` },
  { name: 'edit-modal', at: `${flow}/edit`, act: (page) => edit(page, BLOCKS.modal) },
  { name: 'edit-list', at: `${flow}/edit`, act: editList },
  { name: 'edit-custom', at: `${flow}/edit`, act: (page) => edit(page, BLOCKS.custom) },
  { name: 'edit-rename', at: `${flow}/edit`, act: rename },
  {
    name: 'edit-insert',
    at: `${flow}/edit`,
    act: (page) => page.locator('.plus').first().press('Enter'),
  },
  {
    name: 'edit-yaml',
    at: `${flow}/edit`,
    act: (page) => page.getByRole('tab', { name: 'YAML' }).click(),
  },
  { name: 'edit-try', at: `${flow}/edit`, act: tryIt },
  {
    name: 'commit',
    at: `${flow}/edit`,
    act: (page) => page.getByRole('button', { name: 'Publish…' }).click(),
  },
  { name: 'segments', at: '/development/users?by=segments' },
  {
    name: 'segments-edit',
    at: '/development/users?by=segments',
    act: (page) => page.getByRole('button', { name: 'Edit', exact: true }).click(),
  },
  {
    name: 'users-by-segment',
    at: `/development/users?by=condition&when=${encodeURIComponent(`segment("${SEGMENT}")`)}`,
  },
  { name: 'user', at: user },
  {
    name: 'users',
    at: '/development/users',
    act: (page) => page.goto(user.replace(/^/, new URL(page.url()).origin)).then(() => back(page)),
  },
  {
    name: 'user-reset',
    at: user,
    act: (page) => page.getByRole('button', { name: /^Reset/ }).click(),
  },
  { name: 'user-delete', at: user, act: (page) => choose(page, 'Delete user…') },
  { name: 'user-unknown', at: `${user}-unknown` },
  { name: 'operations', at: '/development/operations' },
  { name: 'keys', at: '/development/operations?tab=keys' },
  { name: 'log', at: '/development/operations?tab=log' },
];

inBrowser('texts that are longer than anybody thought of', () => {
  let here: BrowserFixture;
  beforeAll(async () => {
    here = await BrowserFixture.open();
    await setUpExtremes(here);
  });
  afterAll(() => here.close());

  test.each(VIEWS)(
    '$name: no text leaves its box, at 360 and 1,280 px (T5)',
    async ({ name, at, act }) => {
      const page = await here.openPage(at);
      await settle(page);
      await act?.(page);
      await settle(page);
      const found: string[] = [];
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 900 });
        await picture(page, `long/${name}-${width}-light`);
        found.push(...(await findSpills(page)).map((spill) => `${width}: ${spill}`));
      }
      expect(found).toEqual([]);
      await page.close();
    },
  );

  test('nothing that was opened has complained (T5)', () => {
    expect(here.errors).toEqual([]);
  });
});

/** The page of a user asks every two seconds, so that the network is never idle for long. */
async function settle(page: Page): Promise<void> {
  await page.locator('.waiting, .progress').first().waitFor({ state: 'detached' });
}

async function choose(page: Page, action: string): Promise<void> {
  await page.locator('main').getByText('More', { exact: true }).click();
  await page.getByRole('button', { name: action }).click();
}

async function edit(page: Page, block: string): Promise<void> {
  await page.getByRole('region', { name: 'Blocks' }).getByRole('button', { name: block }).click();
}

async function editList(page: Page): Promise<void> {
  await edit(page, BLOCKS.list);
  for (const item of await page.locator('.item-form > summary').all()) await item.click();
}

async function rename(page: Page): Promise<void> {
  await edit(page, BLOCKS.modal);
  await page.getByLabel('Block', { exact: true }).fill('another');
  await page.keyboard.press('Enter');
}

async function tryIt(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Play' }).click();
  await page.getByText('As somebody who was identified just now').click();
}

async function back(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('link', { name: '← Users' }).click();
}
