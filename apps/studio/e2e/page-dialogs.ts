import type { Page } from '@waymark/testing/browser';
import { chooseBlock, type PageView, press } from './page-views.js';

const USER = '/development/users/ada';
const FLOW = '/development/flows/onboarding';
const VERSION = `${FLOW}?tab=versions&open=1`;

/** Every dialog, and what else is shown only when it is requested. */
export const DIALOGS: readonly PageView[] = [
  {
    name: 'new-flow',
    dialog: 'New flow',
    at: '/development/flows',
    act: (page) => press(page, 'New flow'),
  },
  { name: 'flow-menu', at: FLOW, act: openMenu },
  {
    name: 'flow-archive',
    dialog: 'Archive New user onboarding',
    at: FLOW,
    act: (page) => choose(page, 'Archive…'),
  },
  {
    name: 'flow-reset',
    dialog: 'Reset users of New user onboarding, version 1',
    at: FLOW,
    act: countUsers,
  },
  {
    name: 'flow-reset-done',
    dialog: 'Reset users of New user onboarding',
    at: FLOW,
    act: resetUsers,
  },
  {
    name: 'pin',
    dialog: 'Hold development at 1',
    at: VERSION,
    act: (page) => press(page, 'Hold development at 1…'),
  },
  {
    name: 'edit-from',
    dialog: 'Edit New user onboarding from version 1',
    at: VERSION,
    act: (page) => press(page, 'Edit from this version…'),
  },
  { name: 'edit-add', dialog: 'A new block behind “dismiss”', at: `${FLOW}/edit`, act: addBlock },
  { name: 'edit-rename', at: `${FLOW}/edit`, act: renameBlock },
  { name: 'edit-offer', at: `${FLOW}/edit`, act: offerNames },
  { name: 'edit-walk', at: `${FLOW}/edit`, act: walkOn },
  {
    name: 'commit',
    dialog: 'Publish New user onboarding',
    at: `${FLOW}/edit`,
    act: (page) => press(page, 'Publish…'),
  },
  { name: 'user-menu', at: USER, act: openMenu },
  {
    name: 'user-reset',
    dialog: 'Reset New user onboarding',
    at: USER,
    act: (page) => press(page, 'Reset New user onboarding…'),
  },
  {
    name: 'user-restore',
    dialog: 'Restore New user onboarding',
    at: `${USER}?revision=1`,
    act: (page) => press(page, 'Restore to step 1…'),
  },
  {
    name: 'user-stop',
    dialog: 'Stop New user onboarding',
    at: USER,
    act: (page) => choose(page, 'Stop…'),
  },
  {
    name: 'user-delete',
    dialog: 'Delete user',
    at: USER,
    act: (page) => choose(page, 'Delete user…'),
  },
  {
    name: 'new-key',
    dialog: 'New key for development',
    at: '/development/operations?tab=keys',
    act: (page) => press(page, 'New key'),
  },
  {
    name: 'new-key-made',
    dialog: 'New key for production',
    at: '/production/operations?tab=keys',
    act: makeKey,
  },
  {
    name: 'new-endpoint',
    dialog: 'New endpoint for development',
    at: '/development/operations',
    act: (page) => press(page, 'New endpoint'),
  },
  {
    name: 'new-endpoint-made',
    dialog: 'New endpoint for production',
    at: '/production/operations',
    act: makeEndpoint,
  },
  {
    name: 'new-signer',
    dialog: 'New signer for development',
    at: '/development/operations?tab=environments',
    act: (page) => press(page, 'New signer'),
  },
  {
    name: 'verify-unsigned',
    dialog: 'Require user tokens in production',
    at: '/production/operations?tab=environments',
    act: requireTokens,
  },
  {
    name: 'new-webhook-secret',
    dialog: 'New webhook secret for development',
    at: '/development/operations?tab=environments',
    act: (page) => press(page, 'New secret…'),
  },
  {
    name: 'new-environment',
    dialog: 'New environment',
    at: '/development/operations?tab=environments',
    act: (page) => press(page, 'New environment'),
  },
  {
    name: 'signer-remove',
    dialog: 'Remove the signer web',
    at: '/development/operations?tab=environments',
    act: removeSigner,
  },
  {
    name: 'endpoint-remove',
    dialog: 'Remove the endpoint crm',
    at: '/development/operations',
    act: (page) => press(page, 'Remove…'),
  },
  {
    name: 'edit-language',
    dialog: 'Translate this flow',
    at: `${FLOW}/edit`,
    act: (page) => press(page, 'Translate this flow…'),
  },
];

async function addBlock(page: Page): Promise<void> {
  await chooseBlock(page, 'welcome');
  await page.getByLabel('dismiss: target 1').selectOption({ label: '+ a new block …' });
}

function openMenu(page: Page): Promise<void> {
  return page.locator('main').getByText('More', { exact: true }).click();
}

async function choose(page: Page, action: string): Promise<void> {
  await openMenu(page);
  await press(page, action);
}

async function countUsers(page: Page): Promise<void> {
  await choose(page, 'Reset users…');
  await press(page, 'Count them');
  await page.getByText('This would reset 2 users').waitFor();
}

async function resetUsers(page: Page): Promise<void> {
  await countUsers(page);
  await press(page, 'Reset 2 users');
  await page.getByText('2 users reset').waitFor();
}

async function renameBlock(page: Page): Promise<void> {
  await chooseBlock(page, 'welcome');
  await page.getByLabel('Block', { exact: true }).fill('hello');
  await page.keyboard.press('Enter');
  await page.getByText('Applications may ask for').waitFor();
}

async function offerNames(page: Page): Promise<void> {
  await press(page, 'Show as text');
  await page.getByRole('textbox', { name: 'Condition' }).fill('');
  await page.getByRole('textbox', { name: 'Condition' }).pressSequentially('pla');
  await page.getByRole('listbox').waitFor();
}

/** Opened by somebody who qualifies, as far as the tour and the checklist. */
async function walkOn(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Play' }).click();
  await page.getByText('As somebody who was identified just now').click();
  await page.getByLabel('With the properties of this user').fill('ada');
  await page.getByLabel('With the properties of this user').press('Tab');
  await press(page, 'complete');
  await page.getByText('is-admin is true').waitFor();
}

async function makeKey(page: Page): Promise<void> {
  await press(page, 'New key');
  await press(page, 'Create key');
  await page.getByText('Copy it now').waitFor();
}

async function makeEndpoint(page: Page): Promise<void> {
  await press(page, 'New endpoint');
  await page.getByLabel('Name').fill('crm');
  await page.getByLabel('Address').fill('https://crm.example.com/events');
  await press(page, 'Create endpoint');
  await page.getByText('Copy it now').waitFor();
}

async function removeSigner(page: Page): Promise<void> {
  await press(page, 'New signer');
  await page.getByLabel('Name').fill('web');
  await press(page, 'Add signer');
  await page.getByText('Copy it now').waitFor();
  await page.reload();
  await press(page, 'Remove…');
}

async function requireTokens(page: Page): Promise<void> {
  await page.getByLabel('User tokens in production').selectOption('required');
}
