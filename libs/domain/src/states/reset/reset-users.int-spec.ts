import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import type { ResolvedFlow } from '../../flows/index.js';
import { userId } from '../../users/index.js';
import { IsNull } from 'typeorm';
import { type HistoryOptions, loadHistory, loadStateAt } from '../history/load-history.js';
import { listResets } from './list-resets.js';
import { ResetRun } from './reset-run.js';
import { ResetUsers } from './reset-users.js';

const USERS = 700;

let fixture: Fixture;
let flow: ResolvedFlow;
let round = 0;
beforeAll(async () => {
  fixture = await Fixture.open();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  const name = `round-${++round}`;
  await fixture.commit(
    defineFlow({ flow: name, blocks: { [`${name}-a`]: card({ complete: 'finish' }) } }),
  );
  flow = await fixture.catalogue.getFlow(name, 1);
  const [production] = (await fixture.dataSource.query(
    "SELECT id FROM environments WHERE name = 'production'",
  )) as [{ id: string }];
  const others = ['other-1', 'other-2', 'other-3'];
  await fixture.dataSource.query(
    `INSERT INTO users (user_id, environment_id, identifier)
     SELECT o.id, $1, o.identifier FROM unnest($2::uuid[], $3::text[]) o (id, identifier) ON CONFLICT DO NOTHING`,
    [production.id, others.map((identifier) => userId(production.id, identifier)), others],
  );
  const names = Array.from({ length: USERS }, (_, index) => `user-${index}`);
  await fixture.identifyAll(names, (index) => ({ seats: index }));
  await fixture.read('user-0', name);
  const [one] = (await fixture.dataSource.query(
    'SELECT version, revision, edition, state FROM flow_states WHERE flow = $1 LIMIT 1',
    [name],
  )) as [{ version: number; revision: number; edition: number; state: object }];
  await fixture.dataSource.query(
    `INSERT INTO flow_states (user_id, flow, version, revision, edition, state)
     SELECT u.user_id, $1::text, $2::int, $3::int, $4::int, $5::jsonb FROM users u ON CONFLICT DO NOTHING`,
    [name, one.version, one.revision, one.edition, JSON.stringify(one.state)],
  );
});

const run = (options: Partial<Parameters<ResetUsers['run']>[2]> = {}) =>
  new ResetUsers(fixture.dataSource, fixture.runner, fixture.changes).run(
    fixture.environmentId,
    flow,
    { force: false, ...options },
    { by: 'ann', reason: 'test' },
  );
const revisions = async () => {
  const rows = (await fixture.dataSource.query(
    `SELECT u.environment_id = $2 AS ours, s.revision, count(*)::int AS users FROM flow_states s JOIN users u USING (user_id)
     WHERE s.flow = $1 GROUP BY 1, 2 ORDER BY 1 DESC, 2`,
    [flow.flow, fixture.environmentId],
  )) as object[];
  return rows;
};

test('resets everybody of the environment who has a state, each recorded and announced, and nobody else (S10, R9)', async () => {
  const announced = fixture.changes.changes.length;
  expect(await run()).toEqual({
    run: expect.any(String),
    matched: USERS,
    reset: USERS,
    unchanged: 0,
    failed: 0,
  });
  expect(fixture.changes.changes.length - announced).toBe(USERS);
  expect(await revisions()).toEqual([
    { ours: true, revision: 2, users: USERS },
    { ours: false, revision: 1, users: 3 },
  ]);
  expect(await fixture.dataSource.getRepository(ResetRun).countBy({ finishedAt: IsNull() })).toBe(
    0,
  );
});

test('with a condition resets those it holds for; a dry run only counts them (S29)', async () => {
  const when = 'user.properties.seats < 100 AND user.identifier != "user-7"';
  expect(await run({ when, dryRun: true })).toEqual({
    run: null,
    matched: 99,
    reset: 0,
    unchanged: 0,
    failed: 0,
  });
  expect(await revisions()).toMatchObject([{ revision: 1, users: USERS }, { ours: false }]);
  expect(await run({ when })).toMatchObject({ matched: 99, reset: 99 });
  await fixture.track('user-8', 'Paid');
  const paid = 'user.events["Paid"].count > 0 OR user.properties.seats < 0';
  expect(await run({ when: paid, dryRun: true })).toMatchObject({ matched: 1 });
  await expect(run({ when: 'user.properties.seats <' })).rejects.toThrow('expected');
});

test('goes on where it was killed, and resets nobody twice', async () => {
  let pages = 0;
  const killed = run({
    onProgress: () => {
      if (++pages === 1) throw new Error('killed');
    },
  });
  await expect(killed).rejects.toThrow('killed');
  // As if the process had died before it noted how far it had come.
  await fixture.dataSource.query(
    'UPDATE reset_runs SET after_user_id = NULL, matched = 0, reset = 0 WHERE finished_at IS NULL',
  );
  const resumed: object[] = [];
  await run({ onResume: (_, counts) => resumed.push(counts) });
  expect(resumed).toHaveLength(1);
  expect(await revisions()).toMatchObject([{ revision: 2, users: USERS }, { ours: false }]);
});

test('a run that came to its end stays on record, and an equal reset afterwards is a new one (I6)', async () => {
  const first = await run({ when: 'true' });
  const second = await run({ when: 'true' });
  expect(second.run).not.toBe(first.run);
  expect(
    await listResets(fixture.dataSource.manager, fixture.environmentId, { limit: 2 }),
  ).toMatchObject([
    {
      id: second.run,
      flow: flow.flow,
      version: 1,
      by: 'ann',
      reason: 'test',
      matched: USERS,
      reset: USERS,
      condition: 'true',
    },
    { id: first.run, startedAt: expect.any(Date), finishedAt: expect.any(Date), undoes: null },
  ]);
});

test('can be stopped between two pages, and continued (I6)', async () => {
  const stop = new AbortController();
  await expect(run({ signal: stop.signal, onProgress: () => stop.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  });
  expect(await revisions()).toMatchObject([{ revision: 1 }, { revision: 2 }, { ours: false }]);
  expect(await run()).toMatchObject({ matched: USERS, reset: USERS });
});

test('a history is told as it is, and as it was (S6)', async () => {
  await fixture.run('user-1', flow.flow, 1, { kind: 'stop' });
  const { manager } = fixture.dataSource;
  await run();
  const history = await loadHistory(manager, fixture.environmentId, 'user-0', flow.flow);
  expect(history.events.map(({ revision, command }) => [revision, command.kind])).toEqual([
    [1, 'start'],
    [2, 'reset'],
  ]);
  const stateAt = (at: number) =>
    loadStateAt(manager, fixture.environmentId, 'user-0', flow.flow, { at });
  const now = await stateAt(2);
  expect(now.state).toEqual((await fixture.findState('user-0', flow.flow, 1))?.state);
  const before = await stateAt(0);
  expect(before.state).toMatchObject({ started: false, blocks: {} });
  await expect(stateAt(3)).rejects.toThrow('the last revision is 2');
  await expect(
    loadHistory(manager, fixture.environmentId, 'nobody', flow.flow),
  ).rejects.toMatchObject({ code: 'user.unknown' });
});

test('a history comes in pages, and says which events were deleted (S6, E12)', async () => {
  const { manager } = fixture.dataSource;
  for (const kind of ['stop', 'reset', 'stop'] as const)
    await fixture.run('user-0', flow.flow, 1, kind === 'reset' ? { kind, force: true } : { kind });
  const load = (options: HistoryOptions = {}) =>
    loadHistory(manager, fixture.environmentId, 'user-0', flow.flow, options);
  const all = await load();
  expect(all).toMatchObject({ deletedTo: 0, hasEarlier: false });
  const last = all.events.at(-1)!.revision;
  const newest = await load({ limit: 2 });
  expect(newest.events.map(({ revision }) => revision)).toEqual([last - 1, last]);
  expect(newest.hasEarlier).toBe(true);
  const rest = await load({ before: last - 1 });
  expect([...rest.events, ...newest.events]).toEqual(all.events);

  const remove = (upTo: number) =>
    fixture.dataSource.query(
      'DELETE FROM flow_events WHERE user_id = $1 AND flow = $2 AND revision <= $3',
      [userId(fixture.environmentId, 'user-0'), flow.flow, upTo],
    );
  await remove(1);
  expect(await load()).toMatchObject({ deletedTo: 1, hasEarlier: false });
  await expect(
    loadStateAt(manager, fixture.environmentId, 'user-0', flow.flow, { at: last }),
  ).rejects.toThrow('its events before revision 2 were deleted');
  await remove(last);
  expect(await load()).toEqual({ ...all, events: [], deletedTo: last });
});

test('a run that is killed counts what it did up to its last page, and its line says that it stopped (I6)', async () => {
  const pages: number[] = [];
  const killed = run({
    onProgress: ({ reset }) => {
      pages.push(reset);
      if (pages.length === 3) throw new Error('killed');
    },
  });
  await expect(killed).rejects.toThrow('killed');
  const line = async () => (await listResets(fixture.dataSource.manager, fixture.environmentId))[0];
  expect(await line()).toMatchObject({ reset: pages[2], progress: 'running' });
  expect(pages[2]).toBeLessThan(USERS);
  await fixture.dataSource.query(
    "UPDATE reset_runs SET updated_at = now() - interval '2 minutes' WHERE finished_at IS NULL",
  );
  expect(await line()).toMatchObject({ reset: pages[2], progress: 'stopped', finishedAt: null });
  await run();
  expect(await line()).toMatchObject({ reset: USERS, progress: 'ended' });
});
