import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findMissing, type Page } from '@waymark/testing/browser';
import { card, defineFlow, doneBy } from '@waymark/testing/builders';
import { BrowserFixture } from './browser-fixture.js';
import { findFaults } from './page-faults.js';

const inBrowser = findMissing() === '' ? describe : describe.skip;

const OFTEN = 'user.events.Invited.count >= 3';
const LATELY = 'user.events.Invited.last > now() - days(7)';

inBrowser('what users did (Z2)', () => {
  let here: BrowserFixture;
  let page: Page;

  beforeAll(async () => {
    here = await BrowserFixture.open();
    const { fixture } = here;
    await fixture.identifyAll(['ada', 'bob', 'cid'], () => ({ plan: 'pro' }));
    for (const [user, times] of Object.entries({ ada: 3, bob: 1, cid: 4 }))
      for (let time = 0; time < times; time++) await fixture.track(user, 'Invited');
    await fixture.track('ada', 'Exported <b>"all"</b>');
    // Long ago, which nobody can do through the API.
    await fixture.dataSource.query(
      `UPDATE user_events e SET first_at = now() - interval '40 days', last_at = now() - interval '30 days'
       FROM users u WHERE u.user_id = e.user_id AND u.identifier = 'cid'`,
    );
    const invite = doneBy(`${OFTEN} AND ${LATELY}`, card({ complete: 'finish' }));
    await fixture.commit(defineFlow({ flow: 'inviting', blocks: { invite } }));
    await fixture.read('bob', 'inviting');
    page = await here.openPage('/development/users?by=condition');
  });
  afterAll(() => here.close());

  const focused = () =>
    page.evaluate<string>(
      `document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent`,
    );
  const tabTo = async (label: string): Promise<void> => {
    for (let presses = 0; (await focused()) !== label; presses++) {
      if (presses > 40) throw new Error(`no Tab leads to ${label}`);
      await page.keyboard.press('Tab');
    }
  };
  const when = () => new URL(page.url()).searchParams.get('when');
  const matching = () => page.getByRole('region', { name: 'Users who match' });

  test('are rows of a condition, made by keyboard alone: how often, and how lately (T15, T5)', async () => {
    // Not by `waitForFunction`, whose second look the policy of the pages forbids.
    await page.getByRole('button', { name: '+ Condition', disabled: false }).waitFor();
    await tabTo('+ Condition');
    await page.keyboard.press('Enter');
    await page.getByLabel('Property').waitFor();
    await tabTo('Property');
    await page.keyboard.type('Invited: times');
    await tabTo('Comparison');
    await page.keyboard.type('is at least');
    await tabTo('Value');
    await page.keyboard.type('3');
    await page.getByText('2 of 3 users match.').waitFor();
    expect(when()).toBe(OFTEN);
    await tabTo('+ Condition');
    await page.keyboard.press('Enter');
    const last = page.locator('.condition-row').last();
    await last.getByLabel('Property').focus();
    await page.keyboard.type('Invited: last');
    await tabTo('Comparison');
    await page.keyboard.type('is within');
    await tabTo('How many');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('7');
    await page.getByText('1 of 3 users match.').waitFor();
    expect(when()).toBe(`${OFTEN} AND ${LATELY}`);
    await matching().getByRole('link', { name: 'ada' }).waitFor();
    expect(await matching().getByRole('link').count()).toBe(1);
    expect(await findFaults(page, 'events/rows')).toEqual([]);
  });

  test('count as often as the table of what they did has it', async () => {
    const counted = await here.fixture.dataSource.query<{ identifier: string }[]>(
      `SELECT u.identifier FROM user_events e JOIN users u USING (user_id)
       WHERE e.name = 'Invited' AND e.count >= 3 ORDER BY 1`,
    );
    await page.goto(
      `${here.studio.url}/development/users?by=condition&when=${encodeURIComponent(OFTEN)}`,
    );
    await page.getByText('2 of 3 users match.').waitFor();
    const shown = await matching().getByRole('link').allInnerTexts();
    expect(shown.sort()).toEqual(counted.map(({ identifier }) => identifier));
  });

  test('stand on the page of a user, with how often and when, as they are written (Z2)', async () => {
    await page.goto(`${here.studio.url}/development/users/ada?flow=inviting`);
    const table = page.getByRole('table', { name: 'What the user did' });
    await table.getByRole('row', { name: /^Invited 3, last just now$/ }).waitFor();
    await table.getByRole('row', { name: /^Exported <b>"all"<\/b> 1, last just now$/ }).waitFor();
    expect(await table.getByRole('row').count()).toBe(2);
    expect(await findFaults(page, 'events/user')).toEqual([]);
  });

  test('may be tried in a flow without anybody who did it (Z2, Z1, I4)', async () => {
    await page.goto(`${here.studio.url}/development/flows/inviting/edit`);
    await page.getByRole('tab', { name: 'Play' }).click();
    await page.getByRole('button', { name: 'complete', exact: true }).waitFor();
    await page.getByText('As somebody who was identified just now').click();
    await page.getByRole('button', { name: '+ Event' }).click();
    const [name, times] = [page.getByLabel('Event', { exact: true }), page.getByLabel('Times')];
    await name.fill('Invited');
    await times.fill('often');
    await times.press('Tab');
    await page.getByText('how often an event happened is a whole number above 0').waitFor();
    await times.fill('3');
    await times.press('Tab');
    await page.getByText('finished', { exact: true }).waitFor();
    expect(await findFaults(page, 'events/try')).toEqual([]);
  });

  test('explain why a block is not done yet, row by row (T14, Z1)', async () => {
    await page.goto(`${here.studio.url}/development/users/bob?flow=inviting`);
    const rows = page.getByRole('region', { name: 'What completes invite' }).getByRole('listitem');
    await rows.first().waitFor();
    expect((await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      '✕ Does not hold: Invited: times done is at least 3 · this user has 1',
      expect.stringMatching(
        /^✓ Holds: Invited: last done is within the last 7 days · this user has/,
      ),
    ]);
    expect(await findFaults(page, 'events/why')).toEqual([]);
    expect(here.errors).toEqual([]);
  });
});
