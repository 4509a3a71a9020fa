import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Browser, findMissing, launchBrowser, type Page } from '@waymark/testing/browser';
import { checklist, defineFlow, modal } from '@waymark/testing/builders';
import { type ExampleApp, startExampleApp } from './example-app.js';
import { LiveReplicas } from './live-replicas.js';

const missing = findMissing('react-modal');
const describeInBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

/**
 * Completes its block whenever that is not done yet, as many applications do, and counts how often
 * it tried.
 */
const EAGER_PAGE = `
  import { useBlock, useFlow } from '@dopt/react';
  import { useEffect, useRef, useState } from 'react';

  export function App() {
    const [flow] = useFlow('onboarding');
    const [block, transition] = useBlock('onboarding.invite');
    const [pushes, setPushes] = useState(0);
    const tries = useRef(0);
    useEffect(() => {
      setPushes((before) => before + 1);
      if (block.transitioned?.complete) return;
      tries.current++;
      transition('complete');
    }, [block]);
    return <p data-testid="eager" data-tries={tries.current} data-stopped={flow.state.stopped}>{pushes}</p>;
  }`;

describeInBrowser('a page that completes a block whenever it is not done', () => {
  let live: LiveReplicas;
  let browser: Browser;
  let app: ExampleApp;

  beforeAll(async () => {
    live = await LiveReplicas.open(1);
    const target = { users: 'matching', when: 'user.properties.isInvited' } as const;
    const flow = {
      flow: 'onboarding',
      target,
      blocks: { setup: checklist(['invite', 'connect'], { dismiss: 'wait' }), wait: modal() },
    };
    await live.commit(defineFlow(flow));
    browser = await launchBrowser();
    app = await startExampleApp(live.url(), live.key, { page: EAGER_PAGE });
  });
  afterAll(async () => {
    await browser.close();
    await app.close();
    await live.close();
  });

  const triesOf = async (page: Page) =>
    Number(await page.getByTestId('eager').getAttribute('data-tries'));

  test.each([
    [
      'whose container was dismissed',
      true,
      (user: string) => live.transition(user, 'u-setup', ['dismiss']),
    ],
    ['of a stopped flow', true, (user: string) => live.intent(user, 'onboarding', 'stop')],
    ['of a flow that the user is not in', false, () => Promise.resolve()],
  ])('comes to rest with a block %s (L6)', async (what, isInvited, prepare) => {
    const user = what.replaceAll(' ', '-');
    await live.fixture.identify(user, { isInvited });
    await live.get(`/v2/flow/onboarding?userIdentifier=${user}&version=1`);
    await prepare(user);
    const page = await browser.newPage();
    await page.goto(`${app.url}/?user=${user}`);
    await page.getByTestId('eager').waitFor({ state: 'visible' });
    await page.waitForLoadState('networkidle');
    const before = await triesOf(page);
    // What the user does next is pushed after everything that the page has brought about.
    await live.intent(user, 'onboarding', 'reset');
    await page.locator('[data-testid="eager"][data-stopped="false"]').waitFor({ state: 'visible' });
    await page.waitForLoadState('networkidle');
    expect(before).toBeLessThan(20);
    expect(await triesOf(page)).toBeLessThan(before + 20);
  });
});
