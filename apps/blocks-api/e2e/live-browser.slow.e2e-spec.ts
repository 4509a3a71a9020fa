import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Browser, findMissing, launchBrowser, type Page } from '@waymark/testing/browser';
import { type Balancer, startBalancer } from './balancer.js';
import { commitExamples } from './commit-examples.js';
import { type ExampleApp, startExampleApp } from './example-app.js';
import { LiveReplicas } from './live-replicas.js';

const WAYMARK = fileURLToPath(new URL('../../waymark/bin/waymark.mjs', import.meta.url));

const missing = findMissing('react-modal');
const describeInBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

describeInBrowser('the React SDK in Chromium, with the example application', () => {
  let live: LiveReplicas;
  let browser: Browser;
  /** Built for the first replica, for the second, and for the load balancer. */
  let apps: ExampleApp[];
  let balancer: Balancer;
  let user: string;
  let count = 0;
  const errors: string[] = [];

  beforeAll(async () => {
    live = await LiveReplicas.open(2);
    await commitExamples(live, 'onboarding', 'tips');
    balancer = await startBalancer([live.url(0)]);
    browser = await launchBrowser();
    apps = await Promise.all(
      [live.url(0), live.url(1), balancer.url].map((url) => startExampleApp(url, live.key)),
    );
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all(apps.map((app) => app.close()));
    await balancer.close();
    await live.close();
  });
  beforeEach(async () => {
    user = `user-${++count}@example.com`;
    await live.fixture.identify(user, { plan: 'pro', roles: ['Admin'] });
  });
  afterEach(() => expect(errors.splice(0)).toEqual([]));

  const open = async (app = 0): Promise<Page> => {
    const page = await browser.newPage();
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(`${apps[app]!.url}/?user=${encodeURIComponent(user)}`);
    return page;
  };
  const visible = (page: Page, testId: string) =>
    page.getByTestId(testId).waitFor({ state: 'visible' });
  const hidden = (page: Page, testId: string) =>
    page.getByTestId(testId).waitFor({ state: 'hidden' });
  const modalIs = (page: Page, state: 'visible' | 'hidden') =>
    page.getByRole('dialog').waitFor({ state });
  const press = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).click();
  const reset = (replica = 0) =>
    live.intent(encodeURIComponent(user), 'onboarding', 'reset', replica);
  /** Completes the modal: checklist and tour side by side. */
  const pastTheModal = async (page: Page) => {
    await press(page, 'Show me');
    await visible(page, 'setup');
    await visible(page, 'onboarding.first');
  };

  test.each(['Show me', 'Not now'])(
    '%s hides the modal, also after a reload, until a reset shows it again (S10, L5)',
    async (button) => {
      const page = await open();
      await modalIs(page, 'visible');
      await press(page, button);
      await modalIs(page, 'hidden');
      await page.reload();
      await page.getByText('onboarding: ').waitFor({ state: 'visible' });
      await page.waitForLoadState('networkidle');
      expect(await page.getByRole('dialog').isVisible()).toBe(false);
      await reset(1);
      await modalIs(page, 'visible');
    },
  );

  test('the operator resets in a terminal, and the modal is back on the open page (S10, L5)', async () => {
    const page = await open();
    await press(page, 'Not now');
    await modalIs(page, 'hidden');
    const env = { PATH: process.env['PATH'], DATABASE_URL: live.fixture.testDatabase.url };
    await promisify(execFile)(
      process.execPath,
      [WAYMARK, 'reset', 'onboarding', '--version', '1', '--user', user, '--yes'],
      {
        env,
      },
    );
    await modalIs(page, 'visible');
  });

  test('items of the checklist can be done in any order, and the last one completes it (S21, S23)', async () => {
    const page = await open();
    await pastTheModal(page);
    const progress = page.getByRole('progressbar', { name: 'Completed' });
    expect([
      await progress.getAttribute('data-value'),
      await progress.getAttribute('data-max'),
    ]).toEqual(['0', '2']);
    await press(page, 'Skip Connect your data');
    await page
      .locator('[data-testid="onboarding.connect"][data-done="true"]')
      .waitFor({ state: 'visible' });
    await page.locator('[data-value="1"][data-max="2"]').waitFor({ state: 'visible' });
    await press(page, 'Complete');
    await hidden(page, 'setup');
  });

  test('the tour goes next and back, stop by stop, and ends with the last one (S22, S23)', async () => {
    const page = await open();
    await pastTheModal(page);
    await press(page, 'Next');
    await visible(page, 'onboarding.second');
    await hidden(page, 'onboarding.first');
    await press(page, 'Back');
    await visible(page, 'onboarding.first');
    await press(page, 'Next');
    await visible(page, 'onboarding.second');
    await press(page, 'Next');
    await hidden(page, 'onboarding.second');
  });

  test('a browser in German sees German, read and pushed, with the published SDK (X2)', async () => {
    const german = await browser.newContext({ locale: 'de-AT' });
    const page = await german.newPage();
    await page.goto(`${apps[0]!.url}/?user=${encodeURIComponent(user)}`);
    const welcome = page.getByRole('dialog').getByText('Willkommen bei Acme');
    await welcome.waitFor({ state: 'visible' });
    await press(page, 'Nicht jetzt');
    await modalIs(page, 'hidden');
    await reset();
    await welcome.waitFor({ state: 'visible' });
    await german.close();
  });

  test('two tabs on two replicas stay in step (L5)', async () => {
    const [here, there] = [await open(0), await open(1)];
    await modalIs(there, 'visible');
    await pastTheModal(here);
    await modalIs(there, 'hidden');
    await visible(there, 'onboarding.first');
    await press(there, 'Next');
    await visible(here, 'onboarding.second');
    await press(here, 'Dismiss the checklist');
    await hidden(there, 'setup');
    await press(there, 'Start over');
    await modalIs(here, 'visible');
  });

  test('a page stays live when its replica is replaced under it, without a reload (L7, R10)', async () => {
    const old = await live.add();
    balancer.leadTo([old.url]);
    const page = await open(2);
    await pastTheModal(page);
    balancer.leadTo([live.url(1)]);
    old.process.kill('SIGTERM');
    await live.transition(encodeURIComponent(user), 'onboarding.invite', ['complete']);
    await page
      .locator('[data-testid="onboarding.invite"][data-done="true"]')
      .waitFor({ state: 'visible' });
    await old.ended;
    await reset();
    await modalIs(page, 'visible');
    await press(page, 'Not now');
    await modalIs(page, 'hidden');
  });
});
