import { addEndpoint } from '@waymark/domain/outbound';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { publishFlows } from '@waymark/domain/flows';
import { call } from '@waymark/testing/services';
import type { BrowserFixture } from './browser-fixture.js';

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

/**
 * What there is to see: users on their way, long and hostile names, an endpoint that is down, a
 * run.
 */
export async function setUpPages({ fixture, blocks, key }: BrowserFixture): Promise<void> {
  const author = { by: 'tester' };
  await fixture.identify('ada', { plan: 'pro', roles: ['Admin'] });
  await fixture.identify(LONG, { plan: 'pro', [LONG]: LONG, note: NASTY });
  await fixture.identifyGroup('acme', { tier: 'gold' });
  await fixture.identifyGroup(NASTY, { note: NASTY });
  await fixture.join('ada', 'acme');
  await fixture.join(LONG, 'acme', NASTY);
  const { draft, problems } = parseFlowFile(nastyFlow, { file: 'nasty.yaml' });
  if (!draft) throw new Error(JSON.stringify(problems));
  await publishFlows(fixture.dataSource, [draft], author);
  await addEndpoint(
    fixture.dataSource,
    fixture.environmentId,
    { name: 'crm', url: `https://crm.acme.test/${LONG}` },
    author,
  );
  for (const user of ['ada', LONG])
    await call(blocks, `GET /v2/flow/onboarding?userIdentifier=${user}&version=latest`, { key });
  const move =
    'POST /v2/block/onboarding.welcome/transition?userIdentifier=ada&version=latest&transitions=complete';
  await call(blocks, move, {
    key,
    body: { data: { stars: 5, why: NASTY, [LONG]: [LONG, NASTY] } },
  });
}
