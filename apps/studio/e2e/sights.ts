import { addEndpoint } from '@waymark/domain/event-log';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { publishFlows } from '@waymark/domain/flows';
import type { Page } from '@waymark/testing/browser';
import { call } from '@waymark/testing/services';
import type { BrowserStage } from './browser-stage.js';

/** Runs where somebody takes a name for HTML. */
export const NASTY = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
export const LONG = 'somebody-with-a-name-that-no-column-was-made-for-'.repeat(4);

const nastyFlow = `flow: nasty
name: ${JSON.stringify(NASTY)}
target: { users: matching, when: ${JSON.stringify(`user.identifier == ${JSON.stringify(NASTY)}`)} }
start: hello
blocks:
  hello:
    type: modal
    fields:
      title: ${JSON.stringify(NASTY)}
      body: ${JSON.stringify(`Text ${NASTY.replaceAll('<', '\\<')}`)}
      complete-label: ${JSON.stringify(NASTY)}
    paths: { complete: ${'a-block-with-a-name-that-is-as-long-as-they-get-'.repeat(2)}x }
  ${'a-block-with-a-name-that-is-as-long-as-they-get-'.repeat(2)}x:
    type: card
    fields: { title: ${LONG} }
    paths: { complete: finish }
`;

/** What there is to see: users on their way, long and hostile names, an endpoint that is down, a run. */
export async function setUpSights({ stage, blocks, key }: BrowserStage): Promise<void> {
  const author = { by: 'tester' };
  await stage.identify('ada', { plan: 'pro', roles: ['Admin'] });
  await stage.identify(LONG, { plan: 'pro', [LONG]: LONG, note: NASTY });
  await stage.identifyGroup('acme', { tier: 'gold' });
  await stage.identifyGroup(NASTY, { note: NASTY });
  await stage.join('ada', 'acme');
  await stage.join(LONG, 'acme', NASTY);
  const { draft, problems } = parseFlowFile(nastyFlow, { file: 'nasty.yaml' });
  if (!draft) throw new Error(JSON.stringify(problems));
  await publishFlows(stage.dataSource, [draft], author);
  await addEndpoint(stage.dataSource, stage.environmentId, { name: 'crm', url: `https://crm.acme.test/${LONG}` }, author);
  for (const user of ['ada', LONG]) await call(blocks, `GET /v2/flow/onboarding?userIdentifier=${user}&version=latest`, { key });
  const move = 'POST /v2/block/onboarding.welcome/transition?userIdentifier=ada&version=latest&transitions=complete';
  await call(blocks, move, { key });
}

export interface Sight {
  name: string;
  at: string;
  /** What is done there before it is looked at. */
  act?: (page: Page) => Promise<unknown>;
}

/** Every view of the studio, and what it looks like with nothing in it. */
export const VIEWS: readonly Sight[] = [
  { name: 'flows', at: '/development/flows' },
  { name: 'flows-nothing-found', at: '/development/flows?search=zebra' },
  { name: 'new-flow', at: '/development/flows', act: (page) => page.getByRole('button', { name: 'New flow' }).click() },
  { name: 'flow', at: '/development/flows/onboarding' },
  { name: 'flow-block', at: '/development/flows/onboarding?block=setup' },
  { name: 'flow-nobody', at: '/production/flows/onboarding?since=30d' },
  { name: 'flow-long-names', at: '/development/flows/nasty' },
  { name: 'flow-unknown', at: '/development/flows/none' },
  { name: 'funnel', at: '/development/flows/onboarding?tab=funnel' },
  { name: 'funnel-nobody', at: '/production/flows/onboarding?tab=funnel&since=2026-01-31' },
  { name: 'versions', at: '/development/flows/onboarding?tab=versions&open=1' },
  { name: 'edit', at: '/development/flows/onboarding/edit' },
  { name: 'edit-block', at: '/development/flows/nasty/edit', act: (page) => chooseBlock(page, 'hello') },
  { name: 'edit-add', at: '/development/flows/onboarding/edit', act: addBlock },
  { name: 'edit-problem', at: '/development/flows/~new/edit?name=new', act: breakIt },
  { name: 'edit-yaml', at: '/development/flows/onboarding/edit', act: openYaml },
  { name: 'edit-try', at: '/development/flows/onboarding/edit', act: (page) => page.getByRole('tab', { name: 'Try' }).click() },
  { name: 'users', at: '/development/users' },
  { name: 'user', at: '/development/users/ada?flow=onboarding' },
  { name: 'user-then', at: '/development/users/ada?flow=onboarding&revision=1' },
  { name: 'user-long-name', at: `/development/users/${LONG}` },
  { name: 'user-unknown', at: '/development/users/nobody' },
  { name: 'reset', at: '/development/users/ada', act: (page) => page.getByRole('button', { name: /^Reset/ }).click() },
  { name: 'operations', at: '/development/operations' },
  { name: 'operations-nothing', at: '/production/operations' },
  { name: 'keys', at: '/development/operations?tab=keys' },
  { name: 'keys-none', at: '/production/operations?tab=keys' },
  { name: 'log', at: '/development/operations?tab=log' },
  { name: 'log-nothing', at: '/development/operations?tab=log&by=nobody' },
];

async function chooseBlock(page: Page, block: string): Promise<void> {
  await page.getByRole('region', { name: 'Blocks' }).getByRole('button', { name: block }).first().click();
}

async function addBlock(page: Page): Promise<void> {
  await chooseBlock(page, 'welcome');
  await page.getByLabel('dismiss: target 1').selectOption({ label: '+ a new block …' });
}

async function breakIt(page: Page): Promise<void> {
  await page.getByLabel('Who enters').selectOption('matching');
  await page.getByRole('textbox', { name: 'Condition' }).fill('user.properties.plan = "pro"');
  await page.getByText('error', { exact: true }).first().waitFor();
}

async function openYaml(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'YAML' }).click();
  await page.locator('.cm-content').waitFor();
}
