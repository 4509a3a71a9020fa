import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { defineFlow, modal } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import type { AttentionRules, FlowDefinition } from '../../engine/index.js';
import { applySharedFile, ATTENTION_FILE } from '../../flows/index.js';
import { explainUser } from '../../analysis/index.js';
import { userId } from '../../users/index.js';
import { deleteUser, exportUser } from '../../records/index.js';
import { AttentionState } from '../attention/attention-state.js';

const DAY = 86_400_000;
const AUTHOR = { by: 'test' };

let fixture: Fixture;
let users = 0;
let ada: string;
beforeAll(async () => {
  fixture = await Fixture.open();
  for (const flow of ['one', 'two', 'three']) await fixture.commit(inGroup(flow, 'news'));
  await fixture.commit(plain('free'));
});
afterAll(() => fixture.close());
beforeEach(async () => {
  ada = `ada-${++users}`;
  await fixture.identify(ada);
});

function plain(flow: string): FlowDefinition {
  return defineFlow({ flow, blocks: { [`hello-${flow}`]: modal({ complete: 'finish' }) } });
}

const inGroup = (flow: string, group: string, priority = 0): FlowDefinition => ({
  ...plain(flow),
  format: 2,
  attention: { group, priority },
});

async function rules(news: AttentionRules): Promise<void> {
  await applySharedFile(fixture.dataSource, ATTENTION_FILE, new Map([['news', news]]), AUTHOR);
  await fixture.catalogue.refresh();
}

const record = (user = ada, group = 'news') =>
  fixture.dataSource
    .getRepository(AttentionState)
    .findOneBy({ userId: userId(fixture.environmentId, user), group });

/** As if everything that is kept of the user had happened so much earlier. */
async function letPass(ms: number): Promise<void> {
  const id = userId(fixture.environmentId, ada);
  await fixture.dataSource.query(
    `UPDATE attention_states SET ended_at = ended_at - $2 * interval '1 ms',
       starts = (SELECT coalesce(jsonb_agg(s::float8 - $2), '[]') FROM jsonb_array_elements_text(starts) s) WHERE user_id = $1`,
    [id, ms],
  );
  await fixture.dataSource.query(
    "UPDATE flow_states SET updated_at = updated_at - $2 * interval '1 ms' WHERE user_id = $1",
    [id, ms],
  );
}

const complete = (flow: string, version = 1) =>
  fixture.take(ada, flow, version, `hello-${flow}`, ['complete']);

test('one flow of a group starts, the next waits and is as one never entered, which explain tells (Q2, Q5, Q7)', async () => {
  await rules({ atOnce: 1 });
  expect((await fixture.read(ada, 'one')).state.started).toBe(true);
  expect(await fixture.read(ada, 'two')).toMatchObject({
    revision: 0,
    tookEffect: false,
    waits: { group: 'news', rule: 'at-once' },
  });
  const explained = await explainUser(fixture.dataSource, fixture.environmentId, {
    flow: 'two',
    user: ada,
  });
  expect(explained).toMatchObject({ wouldStart: false, waits: { holders: ['one'] } });
  expect(explained.reasons.at(-1)).toMatch('the attention group news: at most 1 of its flows');
  expect(await fixture.findState(ada, 'two', 1)).toBeNull();
  expect((await fixture.read(ada, 'free')).state.started).toBe(true);
  await complete('one');
  expect((await fixture.read(ada, 'two')).state.started).toBe(true);
});

test('intents are never held up, and count (Q2)', async () => {
  await rules({ limit: { starts: 2, per: 7 * DAY } });
  for (const flow of ['one', 'two', 'three'])
    await fixture.run(ada, flow, 1, { kind: 'start', force: true });
  expect((await record())!.starts).toHaveLength(3);
  await fixture.run(ada, 'one', 1, { kind: 'reset', force: true });
  expect((await record())!.starts).toHaveLength(3);
  await complete('one');
  await fixture.run(ada, 'one', 1, { kind: 'reset', force: true });
  expect((await record())!.starts).toHaveLength(4);
});

test('a limit and a pause end by time alone, and say when (Q3)', async () => {
  await rules({ limit: { starts: 1, per: 7 * DAY }, pause: DAY });
  await fixture.read(ada, 'one');
  await complete('one');
  const { waits } = await fixture.read(ada, 'two');
  expect(waits).toMatchObject({ rule: 'limit' });
  expect(waits!.until! - waits!.now).toBeGreaterThan(7 * DAY - 60_000);
  await letPass(7 * DAY);
  expect((await fixture.read(ada, 'two')).state.started).toBe(true);
});

test('a flow that was not touched for long holds its place no longer, an archived one neither (Q1, Q2)', async () => {
  await rules({ atOnce: 1, idle: 14 * DAY });
  await fixture.read(ada, 'one');
  expect((await fixture.read(ada, 'two')).waits).toMatchObject({ rule: 'at-once' });
  await letPass(14 * DAY);
  expect((await fixture.read(ada, 'two')).state.started).toBe(true);
  expect((await fixture.read(ada, 'three')).waits).toBeDefined();
  await fixture.dataSource.query("UPDATE flows SET archived_at = now() WHERE flow = 'two'");
  expect((await fixture.read(ada, 'three')).waits).toBeUndefined();
  await fixture.dataSource.query("UPDATE flows SET archived_at = NULL WHERE flow = 'two'");
});

test('flows that are read together are considered by priority and answered as they were asked (Q5)', async () => {
  await rules({ atOnce: 1 });
  for (const [flow, priority] of [
    ['low', 1],
    ['high', 9],
    ['next', 5],
  ] as const)
    await fixture.commit(inGroup(flow, 'news', priority));
  const flows = await Promise.all(
    ['low', 'high', 'next', 'free'].map((flow) =>
      fixture.catalogue.getFlow(flow, 'latest', fixture.environmentId),
    ),
  );
  const actor = { environmentId: fixture.environmentId, user: ada };
  const read = await fixture.runner.readAll(flows, actor);
  expect(read.map((one) => [one!.flow.flow, one!.state.started, one!.waits?.rule])).toEqual([
    ['low', false, 'at-once'],
    ['high', true, undefined],
    ['next', false, 'at-once'],
    ['free', true, undefined],
  ]);
});

test('a list lets flows wait for the reasons that reads of each have, or starts them (Q3, Q5)', async () => {
  const closed: FlowDefinition = { ...inGroup('closed', 'news'), target: { users: 'api-only' } };
  await fixture.commit(closed);
  const actor = { environmentId: fixture.environmentId, user: ada };
  const flows = await Promise.all(
    ['two', 'closed'].map((flow) =>
      fixture.catalogue.getFlow(flow, 'latest', fixture.environmentId),
    ),
  );
  const readList = async () =>
    (await fixture.runner.readAll(flows, actor)).map((one) => one!.waits ?? one!.state.started);
  await rules({ atOnce: 1, idle: 14 * DAY });
  await fixture.read(ada, 'one');
  const { waits } = await fixture.read(ada, 'two');
  expect(await readList()).toEqual([{ ...waits, now: expect.any(Number) }, false]);
  await fixture.dataSource.query("UPDATE flows SET archived_at = now() WHERE flow = 'one'");
  await rules({ atOnce: 1, limit: { starts: 1, per: 7 * DAY } });
  expect(await readList()).toMatchObject([{ rule: 'limit' }, false]);
  await fixture.dataSource.query("UPDATE flows SET archived_at = NULL WHERE flow = 'one'");
  await rules({ pause: DAY });
  await complete('one');
  expect(await readList()).toMatchObject([{ rule: 'pause' }, false]);
  await rules({ atOnce: 1 });
  expect(await readList()).toEqual([true, false]);
});

test('a restore takes its place again and is no start (Q2)', async () => {
  await rules({ atOnce: 1 });
  const { state } = await fixture.read(ada, 'one');
  await complete('one');
  const flow = await fixture.catalogue.getFlow('one', 1);
  const actor = { environmentId: fixture.environmentId, user: ada };
  await fixture.runner.run(flow, actor, { kind: 'restore', revision: 1, state });
  expect(await record()).toMatchObject({ places: { one: 1 }, starts: [expect.any(Number)] });
  expect((await fixture.read(ada, 'two')).waits).toBeDefined();
});

test('a version in another group, or in none, takes the place along (Q2)', async () => {
  await rules({ atOnce: 1 });
  await fixture.commit(inGroup('moving', 'news'));
  await fixture.read(ada, 'moving', 1);
  expect((await fixture.read(ada, 'one')).waits).toBeDefined();
  await fixture.commit(inGroup('moving', 'others'));
  await fixture.read(ada, 'moving', 2);
  expect(await record(ada, 'others')).toMatchObject({ places: { moving: 2 }, starts: [] });
  expect((await fixture.read(ada, 'one')).state.started).toBe(true);
  await complete('one');
  // What happens in the lower version is not noted any more.
  await fixture.run(ada, 'moving', 1, { kind: 'finish' });
  expect((await record())!.places).toHaveProperty('moving');
  await fixture.commit(plain('moving'));
  await fixture.read(ada, 'moving', 3);
  expect((await fixture.read(ada, 'two')).state.started).toBe(true);
});

test('flows without a group leave no row, and version 0 neither holds nor waits (Q2, Q4)', async () => {
  await rules({ atOnce: 1 });
  await fixture.read(ada, 'free');
  await fixture.read(ada, 'one', 'uncommitted');
  expect(await record()).toBeNull();
  await fixture.read(ada, 'two');
  expect((await fixture.read(ada, 'three', 'uncommitted')).state.started).toBe(true);
});

test('an export has what is kept of a user, and a deleted one leaves nothing behind (Q7)', async () => {
  await rules({ atOnce: 1 });
  await fixture.read(ada, 'one');
  let exported = '';
  for await (const part of exportUser(fixture.dataSource, fixture.environmentId, ada))
    exported += part;
  expect(JSON.parse(exported)).toMatchObject({
    attention: [{ group: 'news', places: { one: 1 }, starts: [expect.any(Number)], endedAt: null }],
  });
  await deleteUser(fixture.dataSource, fixture.environmentId, ada, fixture.changes, AUTHOR);
  expect(await record()).toBeNull();
});

test('many reads on two replicas start as many as the rules allow (Q3, Q4)', async () => {
  await rules({ atOnce: 1 });
  const replica = await fixture.replica();
  await replica.catalogue.refresh();
  const flows = ['one', 'two', 'three'];
  for (let round = 0; round < 10; round++) {
    const user = `crowd-${round}`;
    await fixture.identify(user);
    const read = await Promise.all(
      [...flows, ...flows].map((flow, index) =>
        (index % 2 === 0 ? fixture : replica).read(user, flow),
      ),
    );
    const started = new Set(read.flatMap(({ state, flow }) => (state.started ? flow.flow : [])));
    expect(started.size).toBe(1);
    expect(read.filter(({ state, waits }) => !state.started && !waits)).toEqual([]);
    expect((await record(user))!.starts).toHaveLength(1);
  }
});
