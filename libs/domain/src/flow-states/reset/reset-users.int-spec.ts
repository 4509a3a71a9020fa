import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { Stage } from '@waymark/testing/stage';
import type { ResolvedFlow } from '../../flows/index.js';
import { IsNull } from 'typeorm';
import { loadHistory } from '../history/load-history.js';
import { listResets } from './list-resets.js';
import { ResetRun } from './reset-run.js';
import { ResetUsers } from './reset-users.js';

const USERS = 700;

let stage: Stage;
let flow: ResolvedFlow;
let round = 0;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());
beforeEach(async () => {
  const name = `round-${++round}`;
  await stage.commit(defineFlow({ flow: name, blocks: { [`${name}-a`]: card({ complete: 'finish' }) } }));
  flow = await stage.catalogue.getFlow(name, 1);
  await stage.dataSource.query(
    `INSERT INTO users (user_id, environment_id, identifier, properties)
     SELECT gen_random_uuid(), e.id, 'other-' || n, '{}' FROM generate_series(1, 3) n, environments e WHERE e.name = 'production'
       AND NOT EXISTS (SELECT FROM users u WHERE u.environment_id = e.id)`,
  );
  const names = Array.from({ length: USERS }, (_, index) => `user-${index}`);
  await stage.identifyAll(names, (index) => ({ seats: index }));
  await stage.read('user-0', name);
  await stage.dataSource.query(
    `INSERT INTO flow_states SELECT u.user_id, s.flow, s.version, s.revision, s.edition, s.state FROM flow_states s, users u
     WHERE s.flow = $1 ON CONFLICT DO NOTHING`,
    [name],
  );
});

const run = (options: Partial<Parameters<ResetUsers['run']>[2]> = {}) =>
  new ResetUsers(stage.dataSource, stage.runner, stage.changes).run(
    stage.environmentId,
    flow,
    { force: false, ...options },
    { by: 'ann', reason: 'test' },
  );
const revisions = async () => {
  const rows = (await stage.dataSource.query(
    `SELECT u.environment_id = $2 AS ours, s.revision, count(*)::int AS users FROM flow_states s JOIN users u USING (user_id)
     WHERE s.flow = $1 GROUP BY 1, 2 ORDER BY 1 DESC, 2`,
    [flow.flow, stage.environmentId],
  )) as object[];
  return rows;
};

test('resets everybody of the environment who has a state, each recorded and announced, and nobody else (S10, R9)', async () => {
  const announced = stage.changes.changes.length;
  expect(await run()).toEqual({ run: expect.any(String), matched: USERS, reset: USERS, unchanged: 0, failed: 0 });
  expect(stage.changes.changes.length - announced).toBe(USERS);
  expect(await revisions()).toEqual([
    { ours: true, revision: 2, users: USERS },
    { ours: false, revision: 1, users: 3 },
  ]);
  expect(await stage.dataSource.getRepository(ResetRun).countBy({ finishedAt: IsNull() })).toBe(0);
});

test('with a condition resets those it holds for; a dry run only counts them (S29)', async () => {
  const when = 'user.properties.seats < 100 AND user.identifier != "user-7"';
  expect(await run({ when, dryRun: true })).toEqual({ run: null, matched: 99, reset: 0, unchanged: 0, failed: 0 });
  expect(await revisions()).toMatchObject([{ revision: 1, users: USERS }, { ours: false }]);
  expect(await run({ when })).toMatchObject({ matched: 99, reset: 99 });
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
  await stage.dataSource.query('UPDATE reset_runs SET after_user_id = NULL, matched = 0, reset = 0 WHERE finished_at IS NULL');
  const resumed: object[] = [];
  await run({ onResume: (_, counts) => resumed.push(counts) });
  expect(resumed).toHaveLength(1);
  expect(await revisions()).toMatchObject([{ revision: 2, users: USERS }, { ours: false }]);
});

test('a run that came to its end stays on record, and an equal reset afterwards is a new one (I6)', async () => {
  const first = await run({ when: 'true' });
  const second = await run({ when: 'true' });
  expect(second.run).not.toBe(first.run);
  expect(await listResets(stage.dataSource.manager, stage.environmentId, { limit: 2 })).toMatchObject([
    { id: second.run, flow: flow.flow, version: 1, by: 'ann', reason: 'test', matched: USERS, reset: USERS, condition: 'true' },
    { id: first.run, startedAt: expect.any(Date), finishedAt: expect.any(Date), undoes: null },
  ]);
});

test('can be stopped between two pages, and continued (I6)', async () => {
  const stop = new AbortController();
  await expect(run({ signal: stop.signal, onProgress: () => stop.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  expect(await revisions()).toMatchObject([{ revision: 1 }, { revision: 2 }, { ours: false }]);
  expect(await run()).toMatchObject({ matched: USERS, reset: USERS });
});

test('a history is told as it is, and as it was (S6)', async () => {
  await stage.run('user-1', flow.flow, 1, { kind: 'stop' });
  const { manager } = stage.dataSource;
  await run();
  const history = await loadHistory(manager, stage.environmentId, 'user-0', flow.flow);
  expect(history.events.map(({ revision, command }) => [revision, command.kind])).toEqual([
    [1, 'start'],
    [2, 'reset'],
  ]);
  expect(history.state).toEqual((await stage.findState('user-0', flow.flow, 1))?.state);
  const before = await loadHistory(manager, stage.environmentId, 'user-0', flow.flow, { at: 0 });
  expect(before.state).toMatchObject({ started: false, blocks: {} });
  await expect(loadHistory(manager, stage.environmentId, 'user-0', flow.flow, { at: 3 })).rejects.toThrow(
    'the last revision is 2',
  );
  await expect(loadHistory(manager, stage.environmentId, 'nobody', flow.flow)).rejects.toMatchObject({ code: 'user.unknown' });
});
