import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { card, defineFlow, delay } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { fold, type FlowDefinition, type FlowState } from '../../engine/index.js';
import { userId } from '../../users/index.js';
import { listResets } from './list-resets.js';
import { ResetUsers } from './reset-users.js';
import { type UndoOptions, undoReset } from './undo-reset.js';

const USERS = 450;
const AUTHOR = { by: 'ann' };

let fixture: Fixture;
let flow: FlowDefinition;
let round = 0;
beforeAll(async () => {
  fixture = await Fixture.open();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  const name = `undone-${++round}`;
  flow = defineFlow({
    flow: name,
    blocks: { [`${name}-a`]: card({ complete: `${name}-b` }), [`${name}-b`]: card() },
  });
  await fixture.commit(flow);
  await fixture.identifyAll(users(), (index) => ({ seats: index }));
});

const users = () => Array.from({ length: USERS }, (_, index) => `user-${index}`);
const each = (work: (user: string, index: number) => Promise<unknown>) =>
  Promise.all(users().map(work));
const complete = (user: string, version: number, block = 'a') =>
  fixture.take(user, flow.flow, version, `${flow.flow}-${block}`, ['complete']);
const reset = async (version = 1, onProgress: () => void = () => undefined) => {
  const resolved = await fixture.catalogue.getFlow(flow.flow, version);
  const run = new ResetUsers(fixture.dataSource, fixture.runner, fixture.changes);
  return run.run(fixture.environmentId, resolved, { force: false, onProgress }, AUTHOR);
};
const undo = (run: string | null, options: UndoOptions = {}) =>
  undoReset(fixture, fixture.environmentId, run!, options, AUTHOR);

/** Every state by user, which the folded events have to agree with. */
async function states(version = 1): Promise<Map<string, FlowState>> {
  const known = new Map<string, FlowState>();
  const events = (await fixture.dataSource.query(
    `SELECT u.identifier, s.state, s.revision, json_agg(e.event ORDER BY e.revision) AS events
     FROM flow_states s JOIN users u USING (user_id) JOIN flow_events e USING (user_id, flow, version)
     WHERE s.flow = $1 AND s.version = $2 GROUP BY 1, 2, 3`,
    [flow.flow, version],
  )) as {
    identifier: string;
    state: FlowState;
    revision: number;
    events: Parameters<typeof fold>[0];
  }[];
  for (const { identifier, state, revision, events: own } of events) {
    expect(fold(own)).toEqual(state);
    expect([...own]).toHaveLength(revision);
    known.set(identifier, state);
  }
  return known;
}

test('the row of an undo names its run while it is under way, for it may be killed (I7)', async () => {
  await each((user) => fixture.read(user, flow.flow));
  const { run } = await reset();
  const rows: unknown[] = [];
  const onProgress = async () => {
    rows.push(
      ...(await fixture.dataSource.query(
        "SELECT subject FROM audit_log WHERE action = 'reset.undo' AND result->>'outcome' = 'begun'",
      )),
    );
  };
  await undo(run, { onProgress });
  expect(rows).toContainEqual({ subject: `run ${run}` });
});

test('undo gives everybody their very state back, killed or not; who moved on is left; each is told once (I6, S6)', async () => {
  await each((user) => fixture.read(user, flow.flow));
  await each((user, index) =>
    index % 2 === 0 ? complete(user, 1) : fixture.run(user, flow.flow, 1, { kind: 'stop' }),
  );
  const before = await states();
  const pages = { reset: 0, undo: 0 };
  const killed = reset(1, () => {
    if (++pages.reset === 1) throw new Error('killed');
  });
  // A page of 500 holds them all: it is killed before the run has its end.
  await expect(killed).rejects.toThrow('killed');
  const { run, ...counts } = await reset();
  expect(counts).toEqual({ matched: USERS, reset: USERS, unchanged: 0, failed: 0 });
  const moved = users().filter((_, index) => index % 9 === 0);
  await Promise.all(moved.map((user) => complete(user, 1)));
  const afterReset = await states();

  expect(await undo(run, { dryRun: true })).toEqual({
    run: null,
    restored: USERS - moved.length,
    movedOn: moved.length,
    failed: 0,
  });
  expect(await states()).toEqual(afterReset);
  const announced = fixture.changes.changes.length;
  const killUndo = () => {
    if (pages.undo++ < 2) throw new Error('killed');
  };
  await expect(undo(run, { onProgress: killUndo })).rejects.toThrow('killed');
  // As if the process had died before it noted how far it had come.
  await fixture.dataSource.query(
    'UPDATE reset_runs SET after_user_id = NULL, matched = 0, reset = 0, moved_on = 0 WHERE finished_at IS NULL',
  );
  await expect(undo(run, { onProgress: killUndo })).rejects.toThrow('killed');
  const resumed: string[] = [];
  const undone = await undo(run, {
    onResume: (_, { restored }) => void resumed.push(`after ${restored}`),
  });
  expect(resumed).toHaveLength(1);
  expect(undone).toMatchObject({
    restored: USERS - moved.length,
    movedOn: moved.length,
    failed: 0,
  });
  const expected = new Map(
    [...before].map(([user, state]) => [user, moved.includes(user) ? afterReset.get(user) : state]),
  );
  expect(await states()).toEqual(expected);
  expect(fixture.changes.changes.length - announced).toBe(USERS - moved.length);

  const again = await undo(undone.run);
  expect(again).toMatchObject({ restored: USERS - moved.length, movedOn: 0, failed: 0 });
  expect(await states()).toEqual(afterReset);
});

test('an undo of an undo that was killed is continued, and leaves whoever has moved on since (I6, S6)', async () => {
  await each((user) => fixture.read(user, flow.flow));
  await each((user) => complete(user, 1));
  const { run } = await reset();
  const afterReset = await states();
  const first = await undo(run);
  const moved = users().filter((_, index) => index % 7 === 0);
  await Promise.all(moved.map((user) => fixture.run(user, flow.flow, 1, { kind: 'stop' })));
  const afterUndo = await states();
  const announced = fixture.changes.changes.length;
  let pages = 0;
  const kill = () => {
    if (pages++ < 2) throw new Error('killed');
  };
  await expect(undo(first.run, { onProgress: kill })).rejects.toThrow('killed');
  await fixture.dataSource.query(
    'UPDATE reset_runs SET after_user_id = NULL, matched = 0, reset = 0, moved_on = 0 WHERE finished_at IS NULL',
  );
  await expect(undo(first.run, { onProgress: kill })).rejects.toThrow('killed');
  const second = await undo(first.run);
  expect(second).toMatchObject({
    restored: USERS - moved.length,
    movedOn: moved.length,
    failed: 0,
  });
  expect(second.run).not.toBe(first.run);
  const expected = new Map(
    [...afterReset].map(([user, state]) => [
      user,
      moved.includes(user) ? afterUndo.get(user) : state,
    ]),
  );
  expect(await states()).toEqual(expected);
  expect(fixture.changes.changes.length - announced).toBe(USERS - moved.length);
  const runs = await fixture.dataSource.query(
    `SELECT count(*)::int AS runs, count(finished_at)::int AS ended FROM reset_runs WHERE flow = $1`,
    [flow.flow],
  );
  expect(runs).toEqual([{ runs: 3, ended: 3 }]);

  // And the undo of that one brings everybody back who has not moved since.
  expect(await undo(second.run)).toMatchObject({
    restored: USERS - moved.length,
    movedOn: 0,
    failed: 0,
  });
  expect(await states()).toEqual(afterUndo);
});

test('in version 0 an edit since the reset follows, and the undo of the undo takes both back (I6, S27)', async () => {
  await each((user) => fixture.read(user, flow.flow, 0));
  await each((user) => complete(user, 0));
  const { run } = await reset(0);
  const [a, b] = flow.blocks;
  const item = { ...card(), uid: `u-${flow.flow}-c`, id: `${flow.flow}-c`, type: 'card' };
  await fixture.apply({
    ...flow,
    blocks: [
      { ...a, paths: [] },
      { ...item, paths: b!.paths, fields: b!.fields },
    ],
  } as FlowDefinition);
  await each((user) => fixture.run(user, flow.flow, 0, { kind: 'read', starts: false }));
  const afterReset = await states(0);
  const undone = await undo(run);
  expect(undone).toMatchObject({ restored: USERS, movedOn: 0 });
  const [state] = [...(await states(0)).values()];
  expect(state?.blocks[`u-${flow.flow}-b`]).toBeUndefined();
  expect(await undo(undone.run)).toMatchObject({ restored: USERS, movedOn: 0 });
  expect(await states(0)).toEqual(afterReset);
});

test('who is gone meanwhile, or whose events are pruned, is no obstacle (I6)', async () => {
  await each((user) => fixture.read(user, flow.flow));
  await each((user) => complete(user, 1));
  const before = await states();
  const { run } = await reset();
  const idOf = (user: string) => userId(fixture.environmentId, user);
  await fixture.dataSource.query('DELETE FROM flow_states WHERE user_id = $1', [idOf('user-0')]);
  await fixture.dataSource.query('DELETE FROM flow_events WHERE user_id = $1 AND flow = $2', [
    idOf('user-1'),
    flow.flow,
  ]);
  // Pruned up to the event of the run, which is all that an undo needs.
  await fixture.dataSource.query(
    'DELETE FROM flow_events WHERE user_id = $1 AND flow = $2 AND revision < 3',
    [idOf('user-2'), flow.flow],
  );
  expect(await undo(run)).toMatchObject({ restored: USERS - 2, movedOn: 0, failed: 1 });
  expect((await fixture.findState('user-2', flow.flow, 1))?.state).toEqual(before.get('user-2'));
});

test('a reset that was killed can be undone as far as it came, and is not continued (I6)', async () => {
  await each((user) => fixture.read(user, flow.flow));
  await each((user) => complete(user, 1));
  await expect(
    reset(1, () => {
      throw new Error('killed');
    }),
  ).rejects.toThrow('killed');
  const [killed] = (await fixture.dataSource.query(
    'SELECT id FROM reset_runs WHERE finished_at IS NULL',
  )) as { id: string }[];
  expect(await undo(killed!.id)).toMatchObject({ restored: 50, movedOn: 0 });
  expect((await reset()).run).not.toBe(killed!.id);
});

test('a run that is not there, of another environment, or from before runs were kept is refused (I6)', async () => {
  await each((user) => fixture.read(user, flow.flow));
  const { run } = await reset();
  const [other] = (await fixture.dataSource.query(
    "SELECT id FROM environments WHERE name = 'production'",
  )) as { id: string }[];
  for (const refused of [
    undo('nobody'),
    undo(other!.id),
    undoReset(fixture, other!.id, run!, {}, AUTHOR),
  ]) {
    await expect(refused).rejects.toMatchObject({ code: 'run.unknown' });
  }
  await fixture.dataSource.query('UPDATE reset_runs SET by = NULL WHERE id = $1', [run]);
  await expect(undo(run)).rejects.toThrow('cannot be undone');
});

test('a run that was undone is not undone again, and the undo keeps its condition (I6)', async () => {
  await each((user) => fixture.read(user, flow.flow));
  const resolved = await fixture.catalogue.getFlow(flow.flow, 1);
  const { run } = await new ResetUsers(fixture.dataSource, fixture.runner, fixture.changes).run(
    fixture.environmentId,
    resolved,
    { force: false, when: 'user.properties.seats < 3' },
    { by: 'ann', reason: 'ticket 31' },
  );
  const undone = await undo(run);
  await expect(undo(run)).rejects.toThrow(`was undone already, by run ${undone.run}`);
  await expect(undo(run, { dryRun: true })).rejects.toThrow('was undone already');
  const runs = await listResets(fixture.dataSource.manager, fixture.environmentId);
  expect(runs.slice(0, 2)).toMatchObject([
    { undoes: run, condition: 'user.properties.seats < 3' },
    { id: run, condition: 'user.properties.seats < 3', reason: 'ticket 31' },
  ]);
});

test('who waited in a delay before the reset waits until the same time after the undo, when it is due (I6, Z4)', async () => {
  const [wait, then] = [`${flow.flow}-wait`, `${flow.flow}-then`];
  await fixture.commit(
    defineFlow({
      flow: flow.flow,
      start: `${flow.flow}-a`,
      blocks: {
        [`${flow.flow}-a`]: card({ complete: wait }),
        [wait]: delay(then, 86_400_000),
        [then]: card(),
      },
    }),
  );
  const due = () =>
    fixture.dataSource.query(
      'SELECT version, revision, block, due_at AS "dueAt" FROM delays WHERE flow = $1 AND user_id = $2',
      [flow.flow, userId(fixture.environmentId, 'user-0')],
    );
  await fixture.read('user-0', flow.flow, 2);
  await complete('user-0', 2);
  const { state: before } = (await fixture.findState('user-0', flow.flow, 2))!;
  const dueAt = new Date(before.waiting![`u-${wait}`]!);
  expect(await due()).toEqual([{ version: 2, revision: 2, block: `u-${wait}`, dueAt }]);
  const { run } = await reset(2);
  expect((await fixture.findState('user-0', flow.flow, 2))!.state).not.toHaveProperty('waiting');
  // The worker takes what nothing waits for any more.
  await fixture.dataSource.query('DELETE FROM delays WHERE flow = $1', [flow.flow]);
  expect(await undo(run)).toMatchObject({ restored: 1, movedOn: 0, failed: 0 });
  expect((await fixture.findState('user-0', flow.flow, 2))!.state).toEqual(before);
  expect(await due()).toEqual([{ version: 2, revision: 4, block: `u-${wait}`, dueAt }]);
});
