import type { Page } from '@waymark/testing/browser';
import { LONG } from './set-up-pages.js';

export interface PageView {
  name: string;
  at: string;
  /** What is done there before it is looked at. */
  act?: (page: Page) => Promise<unknown>;
  /** The name of the dialog that is open then. */
  dialog?: string;
}

/** Every view of the studio, and what it looks like with nothing in it. */
export const VIEWS: readonly PageView[] = [
  { name: 'flows', at: '/development/flows' },
  { name: 'flows-nothing-found', at: '/development/flows?search=zebra' },
  { name: 'flow', at: '/development/flows/onboarding' },
  { name: 'flow-block', at: '/development/flows/onboarding?block=setup' },
  { name: 'flow-nobody', at: '/production/flows/onboarding?since=30d' },
  { name: 'flow-long-names', at: '/development/flows/nasty' },
  { name: 'flow-unknown', at: '/development/flows/none' },
  { name: 'funnel', at: '/development/flows/onboarding?tab=funnel' },
  { name: 'funnel-nobody', at: '/production/flows/onboarding?tab=funnel&since=2026-01-31' },
  { name: 'versions', at: '/development/flows/onboarding?tab=versions&open=1' },
  { name: 'edit', at: '/development/flows/onboarding/edit' },
  {
    name: 'edit-block',
    at: '/development/flows/nasty/edit',
    act: (page) => chooseBlock(page, 'hello'),
  },
  { name: 'edit-problem', at: '/development/flows/~new/edit?name=new', act: breakIt },
  { name: 'edit-yaml', at: '/development/flows/onboarding/edit', act: openYaml },
  {
    name: 'edit-preview',
    at: '/development/flows/nasty/edit',
    act: showPreview,
  },
  {
    name: 'edit-play',
    at: '/development/flows/onboarding/edit',
    act: (page) => page.getByRole('tab', { name: 'Play' }).click(),
  },
  {
    name: 'edit-texts',
    at: '/development/flows/onboarding/edit',
    act: translate,
  },
  { name: 'users', at: '/development/users' },
  {
    name: 'users-by-condition',
    at: '/development/users?by=condition&when=user.properties.plan%20%3D%3D%20%22pro%22',
    act: (page) => page.getByText('Users 1 to 2: the last ones.').waitFor(),
  },
  { name: 'segments', at: '/development/users?by=segments' },
  { name: 'user', at: '/development/users/ada?flow=onboarding' },
  { name: 'user-then', at: '/development/users/ada?flow=onboarding&revision=1' },
  { name: 'user-long-name', at: `/development/users/${LONG}` },
  { name: 'user-unknown', at: '/development/users/nobody' },
  { name: 'operations', at: '/development/operations' },
  { name: 'operations-nothing', at: '/production/operations' },
  { name: 'keys', at: '/development/operations?tab=keys' },
  { name: 'keys-none', at: '/production/operations?tab=keys' },
  { name: 'attention', at: '/development/operations?tab=attention' },
  { name: 'log', at: '/development/operations?tab=log' },
  { name: 'log-nothing', at: '/development/operations?tab=log&by=nobody' },
];

export async function chooseBlock(page: Page, block: string): Promise<void> {
  await page
    .getByRole('region', { name: 'Blocks' })
    .getByRole('button', { name: block })
    .first()
    .click();
}

export function press(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).click();
}

async function breakIt(page: Page): Promise<void> {
  await page.getByLabel('Who enters').selectOption('matching');
  await press(page, 'Show as text');
  await page.getByRole('textbox', { name: 'Condition' }).fill('user.properties.plan = "pro"');
  await page.getByText('error', { exact: true }).first().waitFor();
}

async function openYaml(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'YAML' }).click();
  await page.locator('.cm-content').waitFor();
}

async function showPreview(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Preview' }).click();
  await page.frameLocator('iframe').locator('dialog[open]').waitFor();
}

async function translate(page: Page): Promise<void> {
  await press(page, 'Translate this flow…');
  await page.getByLabel('Translate into').fill('de');
  await press(page, 'Translate');
  await page.getByRole('status').getByText('missing').waitFor();
}
