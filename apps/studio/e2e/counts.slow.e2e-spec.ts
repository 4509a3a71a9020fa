import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { applySharedFile, publishFlows, SEGMENTS_FILE } from '@waymark/domain/flows';
import { findMissing, type Page } from '@waymark/testing/browser';
import { BrowserFixture } from './browser-fixture.js';

const inBrowser = findMissing() === '' ? describe : describe.skip;

const USERS = 90;
const AUTHOR = { by: 'ann' };
const file = (title: string) => `flow: team
name: The team
goal: user.properties.seats > 40
start: hello
blocks:
  hello: { type: modal, fields: { title: ${title} }, paths: { complete: setup, dismiss: finish } }
  setup:
    type: checklist
    fields: { title: Set up }
    items:
      invite: { fields: { title: Invite } }
      pay: { fields: { title: Pay } }
    paths: { complete: finish, dismiss: finish }
`;

/**
 * What numbers.slow does not count: narrowed reports, versions side by side, goals, and resets of
 * many (T16, T18).
 */
inBrowser('what else the studio counts of generated users', () => {
  let here: BrowserFixture;
  let page: Page;
  let uids: Map<string, string>;

  const count = async (condition: string, ...values: unknown[]): Promise<number> => {
    const [row] = await here.fixture.dataSource.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM flow_states s JOIN users u USING (user_id)
       WHERE s.flow = 'team' AND ${condition}`,
      values,
    );
    return row!.count;
  };
  const there = (flag: string, block: string, version = 1): Promise<number> =>
    count(
      `s.version = $3 AND s.state -> 'blocks' -> $1 ->> $2 = 'true'`,
      uids.get(block),
      flag,
      version,
    );
  const took = (block: string, name: string): Promise<number> =>
    count(
      `s.version = 1 AND s.state -> 'blocks' -> $1 -> 'transitioned' ? $2`,
      uids.get(block),
      name,
    );
  const publish = (title: string) => {
    const text = file(title);
    const { draft } = parseFlowFile(text, { file: 'team.yaml' });
    return publishFlows(
      here.fixture.dataSource,
      [draft!],
      AUTHOR,
      { message: title, migration: 'carry-over' },
      new Map([['team', { text }]]),
    );
  };
  const figures = async (within = '.figures.four >> nth=0') =>
    (await page.locator(within).locator('b').allInnerTexts()).map(Number);
  const open = (view: string) => page.goto(`${here.studio.url}/development/${view}`);

  beforeAll(async () => {
    here = await BrowserFixture.open();
    const { fixture } = here;
    const { dataSource, catalogue, environmentId } = fixture;
    await applySharedFile(
      dataSource,
      SEGMENTS_FILE,
      { pros: 'user.properties.plan == "pro"' },
      AUTHOR,
    );
    const names = Array.from({ length: USERS }, (_, index) => `user-${index}`);
    await fixture.identifyAll(names, (index) => ({
      plan: index % 3 === 0 ? 'free' : 'pro',
      seats: index % 60,
    }));
    await publish('One');
    await catalogue.refresh();
    const { compiled } = await catalogue.getFlow('team', 1, environmentId);
    uids = new Map([...compiled.byIdentifier].map(([name, { uid }]) => [name, uid]));
    for (const [index, name] of names.entries()) {
      await fixture.read(name, 'team', 1);
      if (index % 5 === 0) await fixture.take(name, 'team', 1, 'hello', ['dismiss']);
      else if (index % 2 === 0) await fixture.take(name, 'team', 1, 'hello', ['complete']);
      if (index % 4 === 2 && index % 5 !== 0)
        await fixture.take(name, 'team', 1, 'invite', ['complete']);
    }
    await publish('Two');
    await catalogue.refresh();
    for (const name of names.slice(0, 30)) await fixture.read(name, 'team', 'latest');
    page = await here.openPage('/development/flows');
  });
  afterAll(() => here.close());

  test('of a segment, its four figures (T18)', async () => {
    await open('flows/team?version=1&segment=pros');
    await page.locator('.figures.four').waitFor();
    const among = (state: string) =>
      count(`s.version = 1 AND u.properties ->> 'plan' = 'pro' AND s.state @> $1`, state);
    const expected = [
      await among('{"started": true}'),
      await among('{"started": true, "stopped": false, "finished": false}'),
      await among('{"finished": true}'),
      await among('{"stopped": true}'),
    ];
    expect(expected[0]).toBeGreaterThan(expected[2]!);
    expect(await figures()).toEqual(expected);
  });

  test('of a block, its numbers, and those of its items', async () => {
    await open('flows/team?version=1&block=setup');
    const pane = page.getByRole('complementary', { name: 'Block Set up' });
    await pane.locator('.figure').first().waitFor();
    const [now, reached] = await pane.locator('.figure b').allInnerTexts();
    expect([Number(now), Number(reached)]).toEqual([
      await there('active', 'setup'),
      await there('entered', 'setup'),
    ]);
    for (const item of ['invite', 'pay']) {
      const line = pane.getByRole('listitem').filter({ hasText: item });
      const told = await line.getByText('there now').locator('..').innerText();
      const [, active, entered] = /(\d+) there now, (\d+) reached/.exec(told)!;
      expect([item, Number(active), Number(entered)]).toEqual([
        item,
        await there('active', item),
        await there('entered', item),
      ]);
      const left = await line.locator('.chip').filter({ hasText: 'complete' }).innerText();
      expect(Number(/: (\d+),/.exec(left)![1])).toBe(await took(item, 'complete'));
    }
  });

  test('of a path, the share of those who came to its block', async () => {
    const share = async (name: string): Promise<string> =>
      `${name}, ${Math.round((100 * (await took('hello', name))) / (await there('entered', 'hello')))} %`;
    const texts = page.locator('.picture text');
    for (const name of ['complete', 'dismiss'])
      await texts
        .filter({ hasText: await share(name) })
        .first()
        .waitFor();
  });

  test('of two versions side by side, who reached each block (T18)', async () => {
    await open('flows/team?tab=funnel&version=1&beside=2');
    await page.getByRole('columnheader', { name: 'Reached in version 2' }).waitFor();
    for (const block of ['hello', 'setup', 'invite', 'pay']) {
      const row = page.getByRole('row').filter({ has: page.locator('code', { hasText: block }) });
      const [one, two] = await row.first().locator('td.number').allInnerTexts();
      expect([block, ...[one, two].map((text) => Number(text!.split(/\s/)[0]))]).toEqual([
        block,
        await there('entered', block),
        await there('entered', block, 2),
      ]);
    }
  });

  test('of a goal, for how many it holds, and who finished without it (T18)', async () => {
    const goal = page.getByRole('group', { name: 'Goal' }).first();
    const [met, missed] = await goal.locator('p b').allInnerTexts();
    expect([Number(met), Number(missed)]).toEqual([
      await count(
        `s.version = 1 AND s.state @> '{"started": true}' AND (u.properties ->> 'seats')::int > 40`,
      ),
      await count(
        `s.version = 1 AND s.state @> '{"finished": true}' AND (u.properties ->> 'seats')::int <= 40`,
      ),
    ]);
  });

  test('of a reset of many, before and after, and of its undo (T20)', async () => {
    const all = await count('s.version = 1');
    await open('flows/team?version=1');
    await page.locator('main').getByText('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Reset users…' }).click();
    await page.getByRole('button', { name: 'Count them' }).click();
    await page.getByText(`This would reset ${all} users`).waitFor();
    await page.getByRole('button', { name: `Reset ${all} users` }).click();
    await page.getByText(`${all} users reset`).waitFor();
    await open('operations');
    const run = page.getByRole('row', { name: new RegExp(`^The team, version 1 ${all} reset`) });
    await run.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(`${all} are back where they were`).waitFor();
    await run.getByText('undone').waitFor();
    expect(here.errors).toEqual([]);
  });
});
