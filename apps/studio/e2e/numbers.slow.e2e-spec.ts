import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { pinFlow, publishFlows } from '@waymark/domain/flows';
import { findMissing, type Page } from '@waymark/testing/browser';
import { card, defineFlow } from '@waymark/testing/builders';
import { BrowserFixture } from './browser-fixture.js';

const missing = findMissing();
const inBrowser = missing === '' ? describe : describe.skip;
if (missing !== '') process.stderr.write(`tests in a browser are skipped, they need ${missing}\n`);

const USERS = 120;
const FLOW = '/development/flows/onboarding';

/** The same choices at every run. */
function* choices(): Generator<number> {
  for (let seed = 7; ;) yield (seed = (seed * 48_271) % 2_147_483_647);
}

/** Every number is counted a second time, by SQL over the rows themselves (T16, T18). */
inBrowser('what the studio counts of generated users', () => {
  let here: BrowserFixture;
  let page: Page;
  /** Uids of blocks and items, by identifier, and the transitions of those that people take. */
  let uids: Map<string, string>;
  let transitions: Map<string, readonly string[]>;

  const count = async (condition: string, ...values: unknown[]): Promise<number> => {
    const [row] = await here.fixture.dataSource.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM flow_states WHERE flow = 'onboarding' AND version = 1 AND ${condition}`,
      values,
    );
    return row!.count;
  };
  const countBlock = (block: string, flag: 'active' | 'entered'): Promise<number> =>
    count(`state -> 'blocks' -> $1 ->> $2 = 'true'`, uids.get(block), flag);
  const IN_PROGRESS = `state @> '{"started": true, "stopped": false, "finished": false}'`;

  beforeAll(async () => {
    here = await BrowserFixture.open();
    const { fixture } = here;
    const { compiled } = await fixture.catalogue.getFlow('onboarding', 1, fixture.environmentId);
    uids = new Map([...compiled.byIdentifier].map(([name, { uid }]) => [name, uid]));
    transitions = new Map(
      [...compiled.byIdentifier].flatMap(([name, block]) =>
        'names' in block ? [[name, [...block.names]]] : [],
      ),
    );
    const names = Array.from({ length: USERS }, (_, index) => `user-${index}`);
    await fixture.identifyAll(names, (index) => ({
      plan: index % 3 === 0 ? 'free' : 'pro',
      roles: index % 2 === 0 ? ['Admin'] : ['Viewer'],
      seats: index % 50,
    }));
    const random = choices();
    const pick = <Item>(items: readonly Item[]): Item => items[random.next().value % items.length]!;
    for (const [index, name] of names.entries()) {
      let { state } = await fixture.read(name, 'onboarding', 1);
      for (let step = 0; step < index % 7; step++) {
        const active = [...transitions].filter(
          ([block]) => state.blocks[uids.get(block)!]?.active === true,
        );
        if (active.length === 0) break;
        const [block, allowed] = pick(active);
        const taken = await fixture.take(name, 'onboarding', 1, block, [pick(allowed)]);
        ({ state } = taken);
      }
      if (index % 29 === 0) await fixture.run(name, 'onboarding', 1, { kind: 'stop' });
    }
    page = await here.openPage('/development/flows');
  });
  afterAll(() => here.close());

  /** The cells of each row. */
  async function tableOf(name: string): Promise<string[][]> {
    const rows = await page.locator(name).locator('tbody tr').all();
    return Promise.all(rows.map((row) => row.locator('> *').allInnerTexts()));
  }

  test('of flows, who is in progress', async () => {
    const row = page.getByRole('row', { name: /New user onboarding/ });
    const expected = await count(IN_PROGRESS);
    expect(expected).toBeGreaterThan(10);
    await row.getByText(String(expected), { exact: true }).waitFor();
  });

  test('of a flow, its four figures', async () => {
    await page.goto(`${here.studio.url}${FLOW}`);
    await page.locator('.figures.four').waitFor();
    const figures = await page.locator('.figures.four b').allInnerTexts();
    expect(figures.map(Number)).toEqual([
      await count(`state @> '{"started": true}'`),
      await count(IN_PROGRESS),
      await count(`state @> '{"finished": true}'`),
      await count(`state @> '{"stopped": true}'`),
    ]);
  });

  test('of the picture, who is in each block', async () => {
    const blocks = await page.locator('[data-block]:has(> .badge)').all();
    expect(blocks.length).toBeGreaterThan(2);
    for (const shown of blocks) {
      const block = await shown.getAttribute('data-block');
      const badge = await shown.locator('.badge text').textContent();
      expect([block, Number(badge)]).toEqual([block, await countBlock(block!, 'active')]);
    }
  });

  test('of the funnel, who reached each block, is there, and left it by which name', async () => {
    await page.getByRole('link', { name: 'Funnel' }).click();
    await page.getByRole('region', { name: 'By day' }).waitFor();
    const rows = await tableOf('.table-box >> nth=0');
    expect(rows.length).toBeGreaterThan(5);
    for (const [title, reached, now, left] of rows) {
      const block = /\S+$/.exec(title!.trim())![0];
      expect([block, Number(reached!.split(/\s/)[0]), Number(now)]).toEqual([
        block,
        await countBlock(block, 'entered'),
        await countBlock(block, 'active'),
      ]);
      for (const [, name, shown] of left!.matchAll(/(\S+) (\d+)/g))
        expect([block, name, Number(shown)]).toEqual([
          block,
          name,
          await count(`state -> 'blocks' -> $1 -> 'transitioned' ? $2`, uids.get(block), name),
        ]);
    }
  });

  test('of days, who started and finished', async () => {
    const rows = await tableOf('section[aria-label="By day"]');
    const sumOf = (column: number): number =>
      rows.reduce((sum, row) => sum + Number(row[column]), 0);
    expect([sumOf(1), sumOf(2)]).toEqual([
      await count(`state @> '{"started": true}'`),
      await count(`state @> '{"finished": true}'`),
    ]);
  });

  test('of a condition, how many users match, and who', async () => {
    const when = encodeURIComponent('user.properties.seats > 30 AND user.properties.plan == "pro"');
    await page.goto(`${here.studio.url}/development/users?by=condition&when=${when}`);
    const [row] = await here.fixture.dataSource.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM users WHERE (properties ->> 'seats')::int > 30 AND properties ->> 'plan' = 'pro'`,
    );
    await page.getByText(`Users 1 to ${row!.count}: the last ones.`).waitFor();
    await page.getByText(`${row!.count} of ${USERS} users match.`).waitFor();
    const links = page.getByRole('region', { name: 'Users who match' }).getByRole('link');
    expect(await links.count()).toBe(row!.count);
  });

  test('of a new version, who loses which block, each user once, and who keeps their place (T16)', async () => {
    const { dataSource, catalogue, environmentId } = here.fixture;
    const hello = (next: string) =>
      `flow: team\nstart: hello\nblocks:\n  hello: { type: modal, paths: { complete: ${next} } }\n`;
    const setUp = `  setup:
    type: checklist
    fields: { title: Set up }
    items:
      invite: { fields: { title: Invite the others } }
      connect: { fields: { title: Connect the data } }
      pay: { fields: { title: Pay } }
    paths: { complete: finish }
`;
    const publish = (text: string, words?: Parameters<typeof publishFlows>[3]) => {
      const { draft } = parseFlowFile(text, { file: 'team.yaml' });
      return publishFlows(
        dataSource,
        [draft!],
        { by: 'ann' },
        words,
        new Map([['team', { text }]]),
      );
    };
    await publish(hello('setup') + setUp, { message: 'the first', migration: 'carry-over' });
    await catalogue.refresh();
    for (let index = 0; index < 18; index++) {
      await here.fixture.read(`user-${index}`, 'team', 1);
      if (index % 5 === 0)
        await here.fixture.take(`user-${index}`, 'team', 1, 'hello', ['complete']);
    }
    await here.fixture.take('user-0', 'team', 1, 'invite', ['complete']);
    await publish(hello('finish'));

    const { compiled } = await catalogue.getFlow('team', 1, environmentId);
    const countIn = async (version: number, blocks: readonly string[]): Promise<number> => {
      const [row] = await dataSource.query<{ count: number }[]>(
        `SELECT count(*)::int AS count FROM flow_states WHERE flow = 'team' AND version = $1 AND EXISTS (
           SELECT FROM unnest($2::text[]) uid WHERE state -> 'blocks' -> uid ->> 'active' = 'true')`,
        [version, blocks.map((block) => compiled.byIdentifier.get(block)!.uid)],
      );
      return row!.count;
    };
    const [losing, kept] = [
      await countIn(1, ['setup', 'invite', 'connect', 'pay']),
      await countIn(1, ['hello']),
    ];
    expect([losing, kept]).toEqual([4, 14]);

    await page.goto(`${here.studio.url}/development/flows/team/edit`);
    await page.getByRole('button', { name: 'Publish…' }).click();
    const dialog = page.getByRole('dialog');
    const lost = await dialog.getByText('blocks that this version no longer has').innerText();
    const [, users, blocks] = /^(\d+) users are in .*: (.*)\.$/.exec(lost)!;
    expect([Number(users), blocks!.split(', ').sort()]).toEqual([
      losing,
      [
        `Connect the data ${await countIn(1, ['connect'])}`,
        `Invite the others ${await countIn(1, ['invite'])}`,
        `Pay ${await countIn(1, ['pay'])}`,
        `Set up ${await countIn(1, ['setup'])}`,
      ],
    ]);
    await dialog.getByText(`${kept} keep their place, ${losing} start again`).waitFor();
    await dialog.getByLabel('What does this change?').fill('shorter');
    await dialog.getByRole('button', { name: 'Publish version 2' }).click();
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    await catalogue.refresh();
    for (let index = 0; index < 18; index++)
      await here.fixture.read(`user-${index}`, 'team', 'latest');
    expect(await countIn(2, ['hello'])).toBe(kept + losing);

    await page.goto(`${here.studio.url}/development/flows/team?tab=funnel`);
    await page.getByText(`${kept} more had started earlier`).waitFor();
    const [day] = await tableOf('section[aria-label="By day"]');
    expect(Number(day![1])).toBe(losing);
  });

  test('of a version that is held, where a user is in it (T14, T16)', async () => {
    const { dataSource, environmentId } = here.fixture;
    await pinFlow(dataSource, environmentId, 'team', 1, { by: 'ann' });
    await page.goto(`${here.studio.url}/development/users/user-0?flow=team`);
    await page.getByText('Sees “Set up” now').waitFor();
    await page.locator('.picture [data-block="setup"]').waitFor();
    expect(await page.getByLabel('Version').inputValue()).toBe('1');
  });

  test('of a block, each user who is there, a page at a time (T8)', async () => {
    const { fixture } = here;
    await fixture.commit(defineFlow({ flow: 'crowd', blocks: { hall: card(), exit: card() } }));
    const { dataSource } = fixture;
    const names = Array.from({ length: USERS }, (_, index) => `user-${index}`);
    for (const name of names) await fixture.read(name, 'crowd', 1);
    await fixture.identifyAll(
      Array.from({ length: 130 }, (_, index) => `guest-${index}`),
      () => ({}),
    );
    for (let index = 0; index < 130; index++) await fixture.read(`guest-${index}`, 'crowd', 1);
    const left = names.slice(0, 20);
    for (const name of left) await fixture.take(name, 'crowd', 1, 'hall', ['complete']);
    await page.goto(`${here.studio.url}/development/flows/crowd?block=hall`);
    const there = page.getByRole('region', { name: 'Who is here' });
    await there.getByText('The first 100 are shown.').waitFor();
    expect(await there.getByRole('link').count()).toBe(100);
    const more = there.getByRole('button', { name: 'Show more' });
    await more.click();
    await there.getByText('The first 200 are shown.').waitFor();
    await more.click();
    await more.waitFor({ state: 'detached' });
    const shown = await there.getByRole('link').allInnerTexts();
    const rows = await dataSource.query<{ identifier: string }[]>(
      `SELECT u.identifier FROM flow_states s JOIN users u USING (user_id) WHERE s.flow = 'crowd'
         AND s.state -> 'blocks' -> 'u-hall' ->> 'active' = 'true'`,
    );
    expect(rows).toHaveLength(230);
    expect(shown.sort()).toEqual(rows.map(({ identifier }) => identifier).sort());
  });
});
