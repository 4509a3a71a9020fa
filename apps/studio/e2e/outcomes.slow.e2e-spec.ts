import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseFlowFile } from '@waymark/domain/flow-files';
import { publishFlows } from '@waymark/domain/flows';
import { addEndpoint } from '@waymark/domain/outbound';
import { findMissing, type Page } from '@waymark/testing/browser';
import { card, defineFlow } from '@waymark/testing/builders';
import { BrowserFixture } from './browser-fixture.js';

const inBrowser = findMissing() === '' ? describe : describe.skip;

const USERS = 320;
const AUTHOR = { by: 'ann' };
const OFFERS = `flow: offers
name: Offers
goal: user.properties.seats > 40
start: offer
blocks:
  offer:
    type: split
    paths:
      short: { share: 60, to: ask }
      long: { share: 40, to: ask }
  ask: { type: custom, fields: { question: Well? }, paths: { yes: tell, no: finish } }
  tell: { type: webhook, url: https://hooks.acme.test/offers, next: bye }
  bye: { type: card, fields: { title: Bye }, paths: { complete: finish } }
`;
/** Splits, answers, times, and what waits on its way out (T11, T18). */
inBrowser('what came of it for generated users, as the studio counts it', () => {
  let here: BrowserFixture;
  let page: Page;
  let uids: Map<string, string>;

  const all = async <Row>(sql: string, ...values: unknown[]): Promise<Row[]> =>
    here.fixture.dataSource.query<Row[]>(sql, values);
  const count = async (sql: string, ...values: unknown[]): Promise<number> =>
    Number((await all<{ count: string }>(`SELECT count(*) ${sql}`, ...values))[0]!.count);
  const open = (view: string) => page.goto(`${here.studio.url}/${view}`);
  const cells = async (row: ReturnType<Page['locator']>): Promise<string[]> =>
    (await row.locator('> *').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());

  beforeAll(async () => {
    here = await BrowserFixture.open();
    // What waits goes on waiting.
    await here.blocks.stop();
    const { fixture } = here;
    const { draft } = parseFlowFile(OFFERS, { file: 'offers.yaml' });
    const made = { message: 'the first', migration: 'carry-over' } as const;
    await publishFlows(fixture.dataSource, [draft!], AUTHOR, made);
    await fixture.catalogue.refresh();
    const { compiled } = await fixture.catalogue.getFlow('offers', 1);
    uids = new Map([...compiled.byIdentifier].map(([name, { uid }]) => [name, uid]));
    const names = Array.from({ length: USERS }, (_, index) => `user-${index}`);
    await fixture.identifyAll(names, (index) => ({ seats: (index * 7) % 60 }));
    for (const [index, name] of names.entries()) {
      await fixture.read(name, 'offers', 1);
      if (index % 11 === 0) continue;
      await fixture.run(name, 'offers', 1, {
        kind: 'transition',
        block: uids.get('ask')!,
        names: [index % 5 === 0 ? 'no' : 'yes'],
        data: { score: index % 10, ...(index % 3 > 0 && { why: `reason ${index % 13}` }) },
      });
      if (index % 4 === 1 && index % 5 !== 0)
        await fixture.take(name, 'offers', 1, 'bye', ['complete']);
    }
    // Everybody thought about it for some minutes.
    await all(
      `UPDATE flow_events SET at = at - interval '1 minute' * (2 + abs(hashtext(user_id::text)) % 70)
       WHERE flow = 'offers' AND revision = 1`,
    );
    page = await here.openPage('/development/flows/offers?tab=funnel');
  });
  afterAll(() => here.close());

  const ways = () => page.getByRole('region', { name: 'Ways of offer' });
  const wayCells = (way: string) =>
    cells(ways().getByRole('row', { name: new RegExp(`^${way} `) }));
  /** People of each way, and how many of them have done something. */
  const countWays = (done: string) =>
    all<{ way: string; people: number; done: number; finished: number }>(
      `SELECT s.state -> 'blocks' -> $1 -> 'transitioned' ->> -1 AS way, count(*)::int AS people,
         count(*) FILTER (WHERE s.state @> '{"finished": true}')::int AS finished,
         count(*) FILTER (WHERE ${done})::int AS done
       FROM flow_states s JOIN users u USING (user_id) WHERE s.flow = 'offers' GROUP BY 1 ORDER BY 1 DESC`,
      uids.get('offer'),
    );
  /** The interval of Wilson, in percent. */
  const interval = (people: number, of: number): [low: number, high: number] => {
    const [share, spread] = [people / of, 1.959964 ** 2 / of];
    const reach = 1.959964 * Math.sqrt((share * (1 - share)) / of + spread / (4 * of));
    const at = (reached: number) => (100 * (share + spread / 2 + reached)) / (1 + spread);
    return [at(-reach), at(reach)];
  };
  const shown = (people: number, of: number): string => {
    const [low, high] = interval(people, of).map((one) => one.toFixed(1));
    return `${people} ${((100 * people) / of).toFixed(1)} % (${low} to ${high})`;
  };

  test('of a split, by its ways: who came, finished and has the goal (K3)', async () => {
    await ways()
      .getByRole('row', { name: /^short / })
      .waitFor();
    const counted = await countWays(`(u.properties ->> 'seats')::int > 40`);
    expect(counted.map(({ way }) => way)).toEqual(['short', 'long']);
    for (const { way, people, finished, done } of counted)
      expect((await wayCells(way)).slice(0, 5)).toEqual([
        way,
        way === 'short' ? '60.0 %' : '40.0 %',
        String(people),
        shown(finished, people),
        shown(done, people),
      ]);
    const [first, other] = counted.map(({ people, done }) => {
      const [low, high] = interval(done, people);
      return { share: (100 * done) / people, low, high };
    });
    const share = other!.share - first!.share;
    const low = share - Math.hypot(other!.share - other!.low, first!.high - first!.share);
    const high = share + Math.hypot(other!.high - other!.share, first!.share - first!.low);
    expect((await wayCells('long')).at(-1)).toContain(
      `${share < 0 ? '' : '+'}${share.toFixed(1)} points (${low.toFixed(1)} to ${high.toFixed(1)})`,
    );
  });

  test('of a split, by a path: who took it, and how long it took them (K3)', async () => {
    await ways().getByLabel('Compared by').selectOption('ask.yes');
    await ways().getByRole('columnheader', { name: 'Median time' }).waitFor();
    const counted = await countWays(
      `s.state -> 'blocks' -> '${uids.get('ask')}' -> 'transitioned' ? 'yes'`,
    );
    const medians = await all<{ way: string; minutes: number }>(
      `SELECT s.state -> 'blocks' -> $1 -> 'transitioned' ->> -1 AS way,
         round(percentile_disc(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM took.at - came.at)) / 60)::int AS minutes
       FROM flow_states s JOIN flow_events came USING (user_id, flow, version) JOIN flow_events took USING (user_id, flow, version)
       WHERE s.flow = 'offers' AND came.revision = 1 AND took.event -> 'cause' @> '{"kind": "transition", "names": ["yes"]}'
       GROUP BY 1`,
      uids.get('offer'),
    );
    for (const { way, people, done } of counted)
      expect((await wayCells(way)).slice(4, 6)).toEqual([
        shown(done, people),
        `${medians.find((one) => one.way === way)!.minutes} min`,
      ]);
  });

  test('of a block, the median and 90th percentile of the time in it (E13)', async () => {
    const [times] = await all<{ seconds: number[] }>(
      `SELECT percentile_disc(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY extract(epoch FROM went.at - came.at)::float8) AS seconds
       FROM flow_events came JOIN flow_events went USING (user_id, flow, version)
       WHERE flow = 'offers' AND came.revision = 1 AND went.event -> 'cause' @> jsonb_build_object('block', $1::text)`,
      uids.get('ask'),
    );
    const [median, p90] = times!.seconds.map((one) => Math.round(one / 60));
    expect(median).toBeGreaterThan(2);
    const head = page.getByRole('rowheader', { name: 'ask', exact: true });
    const row = page.getByRole('row').filter({ has: head }).first();
    expect((await cells(row)).at(-1)).toBe(`${median} min / ${p90} min`);
    await open('development/flows/offers?block=ask');
    const time = page.locator('.figure').filter({ hasText: 'median time in it' });
    expect(await time.locator('b').innerText()).toBe(`${median} min`);
  });

  test('of answers, how many there are by key, their mean and spread, and the most frequent (Z3)', async () => {
    await open('development/flows/offers?tab=funnel');
    const table = page.getByRole('region', { name: 'Answers' }).locator('table').first();
    await table.waitFor();
    const given = `FROM flow_events WHERE flow = 'offers' AND event -> 'cause' -> 'data'`;
    const [score] = await all<{ mean: number; spread: number }>(
      `SELECT avg(n)::float8 AS mean, stddev_pop(n)::float8 AS spread
       FROM (SELECT (event -> 'cause' -> 'data' ->> 'score')::int AS n ${given} ? 'score') numbers`,
    );
    const rounded = (number: number): string => String(Number(number.toPrecision(4)));
    const rowOf = (key: string) =>
      table.getByRole('row').filter({ has: page.getByRole('cell', { name: key, exact: true }) });
    expect((await cells(rowOf('score'))).slice(1, 5)).toEqual([
      'score',
      String(await count(`${given} ? 'score'`)),
      rounded(score!.mean),
      rounded(score!.spread),
    ]);
    const whole = await count(`${given} ? 'why'`);
    expect((await cells(rowOf('why'))).slice(2, 5)).toEqual([String(whole), '–', '–']);
    const chips = await rowOf('why').locator('.chip').allInnerTexts();
    const texts = chips.map((chip) => /^(.*): (\d+)$/.exec(chip)!.slice(1) as [string, string]);
    expect(texts).toHaveLength(10);
    for (const [text, times] of texts)
      expect([text, Number(times)]).toEqual([text, await count(`${given} ->> 'why' = $1`, text)]);
    const listed = texts.reduce((sum, [, times]) => sum + Number(times), 0);
    await rowOf('why')
      .getByText(`others: ${whole - listed}`, { exact: true })
      .waitFor();
  });

  const table = (head: string) =>
    page.locator('table').filter({ has: page.getByRole('columnheader', { name: head }) });
  const WAITING = 'FROM effects WHERE failed_at IS NULL';

  test('of what waits, more than are shown, as such (T11)', async () => {
    expect(await count(WAITING)).toBeGreaterThan(200);
    await open('development/operations');
    await page.getByText('The first 200 are shown.').waitFor();
    expect(await table('Waits').locator('tbody tr').count()).toBe(200);
  });

  test('of what waits and of what was given up, every one, and how often it was tried (S19, T11)', async () => {
    await all(`UPDATE effects SET attempts = abs(hashtext(user_id::text)) % 3`);
    await all(
      `UPDATE effects SET failed_at = now(), last_error = 'answered 500' WHERE abs(hashtext(id::text)) % 2 = 0`,
    );
    await page.reload();
    await table('Waits').waitFor();
    expect(await table('Given up').locator('tbody tr').count()).toBe(
      await count('FROM effects WHERE failed_at IS NOT NULL'),
    );
    const rows = await table('Waits').locator('tbody tr').allInnerTexts();
    expect(rows).toHaveLength(await count(WAITING));
    for (const [attempts, words] of ['not tried yet', 'tried once', 'tried 2 times'].entries())
      expect([words, rows.filter((row) => row.includes(words)).length]).toEqual([
        words,
        await count(`${WAITING} AND attempts = $1`, attempts),
      ]);
    expect(await page.getByText('are shown.').count()).toBe(0);
  });

  test('of an endpoint, the events that wait for it, and those it refused for good (E6, E8)', async () => {
    const { dataSource, environmentId } = here.fixture;
    const crm = { name: 'crm', url: 'https://crm.acme.test/events' };
    await here.fixture.untilTold();
    await addEndpoint(dataSource, environmentId, crm, AUTHOR);
    await here.fixture.commit(defineFlow({ flow: 'tips', blocks: { tip: card(), end: card() } }));
    for (let index = 0; index < 40; index++) {
      await here.fixture.read(`user-${index}`, 'tips');
      if (index % 3 > 0) await here.fixture.take(`user-${index}`, 'tips', 1, 'tip', ['complete']);
    }
    await all(
      `INSERT INTO endpoint_failures (endpoint_id, event_id, user_id, event, error)
       SELECT n.id, gen_random_uuid(), s.user_id,
         jsonb_build_object('id', gen_random_uuid(), 'user', u.identifier, 'flow', s.flow, 'version', 1), 'answered 400'
       FROM endpoints n, flow_states s JOIN users u USING (user_id) WHERE s.flow = 'tips' AND u.identifier LIKE '%7'`,
    );
    await page.reload();
    const row = page.getByRole('row', { name: /^crm/ });
    const refused = await count('FROM endpoint_failures');
    expect(refused).toBeGreaterThan(1);
    await row.getByText(`${refused} refused for good`, { exact: true }).waitFor();
    const waiting = await count(`FROM flow_events WHERE flow = 'tips'`);
    expect((await cells(row))[2]).toMatch(new RegExp(`^${waiting} events the oldest for `));
    expect(await table('Given up').getByText('event for endpoint: crm').count()).toBe(refused);
    expect(here.errors).toEqual([]);
  });
});
