import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findMissing, type Page } from '@waymark/testing/browser';
import { type FaultProxy, startFaultProxy } from '@waymark/testing/fault-proxy';
import { card, defineFlow } from '@waymark/testing/builders';
import { largeFlow } from '@waymark/testing/sample-flows';
import { until } from '@waymark/testing/services';
import type { RunningStudio } from '../src/start-studio.js';
import { BrowserFixture } from './browser-fixture.js';
import { openStudio } from './studio-fixture.js';

const missing = findMissing();
const inBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

/**
 * A million takes minutes to write down: `STUDIO_USERS=1000000 node tools/test.mjs
 * apps/studio/e2e/trouble`.
 */
const USERS = Number(process.env['STUDIO_USERS'] ?? 20_000);
const IN_WORDS = USERS.toLocaleString('en');
const PATIENCE_MS = 600_000 + USERS;

inBrowser('the studio with a lot to show, or nothing to show it with', () => {
  let here: BrowserFixture;
  let proxy: FaultProxy;
  let behindProxy: RunningStudio;

  beforeAll(async () => {
    here = await BrowserFixture.open();
    const { fixture } = here;
    const { port, hostname } = new URL(fixture.testDatabase.url);
    proxy = await startFaultProxy({ host: hostname, port: Number(port) });
    behindProxy = await openStudio(fixture, {
      DATABASE_URL: proxy.through(fixture.testDatabase.url),
    });
    await fixture.commit(largeFlow(1_000));
    await fixture.commit(
      defineFlow({ flow: 'many', blocks: { first: card({ complete: 'second' }), second: card() } }),
    );
    await fill();
  }, PATIENCE_MS);
  afterAll(async () => {
    await behindProxy.stop();
    await here.close();
    await proxy.close();
  });

  /** Everybody is in the first block, but for one, who is called `needle`. */
  async function fill(): Promise<void> {
    const { fixture } = here;
    await fixture.identify('needle');
    await fixture.read('needle', 'many');
    const { state } = (await fixture.findState('needle', 'many', 1))!;
    await fixture.take('needle', 'many', 1, 'first', ['complete']);
    const users = `
      WITH made AS (
        INSERT INTO users (user_id, environment_id, identifier, properties)
        SELECT md5('user ' || n)::uuid, $1, 'user ' || n, '{"plan": "pro"}' FROM generate_series(2, $2::int) n RETURNING user_id
      )
      INSERT INTO flow_states (user_id, flow, version, revision, edition, state) SELECT user_id, 'many', 1, 1, 1, $3::jsonb FROM made`;
    await fixture.dataSource.query(users, [fixture.environmentId, USERS, JSON.stringify(state)]);
    await fixture.dataSource.query('ANALYZE');
  }

  test('a flow of 1,000 blocks is shown, edited and saved (T12)', async () => {
    const page = await here.openPage('/development/flows/large');
    const drawn = page.locator('[data-block="welcome-99"]').first();
    // A machine that is busy enough has not drawn it within the minute that a picture may take.
    await until(async () => {
      await drawn
        .or(page.getByRole('button', { name: 'Try again' }))
        .first()
        .waitFor();
      if (!(await drawn.isVisible())) await tryAgain(page);
      return drawn.isVisible();
    });
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByText('This flow is large.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Large and renamed');
    await page.locator('[aria-label="Problems"][aria-busy="false"]').waitFor();
    await page.getByRole('button', { name: 'Draw it' }).click();
    await page.locator('[data-block="welcome-99"]').first().waitFor();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('saved', { exact: true }).waitFor();
    await page.close();
  });

  test(
    `among ${IN_WORDS} users one is found by where they are, and everybody is counted (T12)`,
    async () => {
      const page = await here.openPage('/development/flows/many?block=second');
      page.setDefaultTimeout(PATIENCE_MS);
      await page
        .getByRole('region', { name: 'Who is here' })
        .getByRole('link', { name: 'needle' })
        .waitFor();
      await page.getByRole('button', { name: 'Close' }).click();
      await page
        .locator('[data-block="first"] .badge text')
        .getByText((USERS - 1).toLocaleString('en'))
        .waitFor();
      await page.goto(`${here.studio.url}/development/flows/many?block=first`);
      await page.getByRole('button', { name: 'Show more' }).waitFor();
      await page.goto(`${here.studio.url}/development/users/needle`);
      await page.getByText('complete of first').first().waitFor();
      await page.close();
    },
    PATIENCE_MS,
  );

  test('a database that is away is said, and when it is back everything goes on in the same page (T12)', async () => {
    const page = await here.openPage('/development/flows', { studio: behindProxy });
    proxy.set({ kind: 'refuse' });
    proxy.reset();
    await page.getByRole('link', { name: 'Operations' }).click();
    await page
      .getByText('The database cannot be reached just now, please try again.')
      .first()
      .waitFor();
    proxy.heal();
    await tryAgain(page);
    await page.getByText('Nothing waits, nothing has failed').waitFor();
    await page.getByRole('link', { name: 'Flows', exact: true }).click();
    await page.getByRole('link', { name: 'New user onboarding' }).waitFor();
    await page.close();
    expect(here.errors).toEqual([]);
  });

  test('who signs out while the database is away is told that they are not out yet (T12)', async () => {
    const page = await here.openPage('/development/flows', { studio: behindProxy });
    const leave = async () => {
      await page.getByText('tester').click();
      await page.getByRole('button', { name: 'Close this session' }).click();
    };
    proxy.set({ kind: 'refuse' });
    proxy.reset();
    await leave();
    await page
      .locator('main > p[role="alert"]')
      .getByText('The database cannot be reached just now')
      .waitFor();
    proxy.heal();
    await leave();
    await page.getByText('it lets you in for twelve hours').waitFor();
    await page.close();
  });

  /** Every part of the page that could not be shown has a button of its own. */
  async function tryAgain(page: Page): Promise<void> {
    const buttons = page.getByRole('button', { name: 'Try again' });
    for (let left = await buttons.count(); left > 0; left--) await buttons.first().click();
  }
});
