import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { card, defineFlow, webhook } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { listAudit } from '../../database/audit/index.js';
import type { FlowDefinition } from '../../engine/index.js';
import { userId } from '../../users/index.js';
import { commandState } from '../command/command-state.js';
import { loadStateAt } from './load-history.js';
import { restoreState } from './restore-state.js';

const AUTHOR = { by: 'ann' };

let fixture: Fixture;
let flow: FlowDefinition;
let round = 0;
beforeAll(async () => {
  fixture = await Fixture.open();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  const name = `restored-${++round}`;
  const [a, b, call, c] = ['a', 'b', 'call', 'c'].map((id) => `${name}-${id}`) as [
    string,
    string,
    string,
    string,
  ];
  flow = defineFlow({
    flow: name,
    blocks: {
      [a]: card({ complete: b }),
      [b]: card({ complete: call }),
      [call]: webhook(c),
      [c]: card(),
    },
  });
  await fixture.commit(flow);
  await fixture.identify('ada');
});

const restore = (revision: number, version = 1, user = 'ada') =>
  restoreState(
    fixture,
    fixture.environmentId,
    { user, flow: flow.flow, version, revision },
    AUTHOR,
  );
const stateAt = async (at: number) =>
  (
    await loadStateAt(fixture.dataSource.manager, fixture.environmentId, 'ada', flow.flow, {
      version: 1,
      at,
    })
  ).state;
const effects = async () =>
  (await fixture.dataSource.query('SELECT FROM effects WHERE flow = $1', [flow.flow])) as unknown[];
/** Revisions 1 to 4: started, two cards completed, stopped. */
async function live(version: number): Promise<void> {
  await fixture.read('ada', flow.flow, version);
  await fixture.take('ada', flow.flow, version, `${flow.flow}-a`, ['complete'], {
    idempotencyKey: 'k',
  });
  await fixture.take('ada', flow.flow, version, `${flow.flow}-b`, ['complete']);
  await fixture.run('ada', flow.flow, version, { kind: 'stop' });
}

test('a user gets a former state back by a new event, which folds, is pushed, and sends nothing (I5, S6)', async () => {
  await live(1);
  expect(await effects()).toHaveLength(1);
  const announced = fixture.changes.changes.length;
  expect(await restore(2)).toMatchObject({ tookEffect: true, revision: 5, newerVersion: null });
  const stored = await fixture.findState('ada', flow.flow, 1);
  expect(stored?.state).toEqual(await stateAt(2));
  expect(await stateAt(5)).toEqual(stored?.state);
  const [last] = (await fixture.loadEvents('ada', flow.flow, 1)).slice(-1);
  expect(last?.event).toMatchObject({
    cause: { kind: 'restored', revision: 2 },
    changes: [{ kind: 'carried' }],
  });
  expect(fixture.changes.changes.slice(announced)).toMatchObject([
    { flow: flow.flow, version: 1, revision: 5 },
  ]);
  expect(await effects()).toHaveLength(1);
});

test('counts as a command without key, and recent keys stay (I5, B11)', async () => {
  await live(1);
  await restore(1);
  expect((await fixture.findState('ada', flow.flow, 1))?.recentKeys).toEqual(['k', '', '', '']);
  expect(
    await fixture.take('ada', flow.flow, 1, `${flow.flow}-a`, ['complete'], {
      idempotencyKey: 'k',
    }),
  ).toMatchObject({
    tookEffect: true,
    revision: 5,
  });
});

test('the empty state is given back by clearing, and an equal one not at all (I5)', async () => {
  await live(1);
  expect(await restore(4)).toMatchObject({ tookEffect: false, revision: 4 });
  expect(await restore(0)).toMatchObject({ tookEffect: true, revision: 5 });
  expect((await fixture.loadEvents('ada', flow.flow, 1)).at(-1)?.event.changes).toEqual([
    { kind: 'cleared' },
  ]);
});

test('in version 0 the edit since then follows in the same commit (I5, S27)', async () => {
  await live(0);
  const blocks = flow.blocks.filter(({ id }) => !id.endsWith('-b'));
  const [first] = blocks;
  await fixture.apply({
    ...flow,
    blocks: [{ ...first!, paths: [] }, ...blocks.slice(1)],
  } as FlowDefinition);
  expect(await restore(2, 0)).toMatchObject({ tookEffect: true, revision: 6 });
  const events = (await fixture.loadEvents('ada', flow.flow, 0)).slice(-2);
  expect(events.map(({ event }) => event.cause.kind)).toEqual(['restored', 'edited']);
  expect(events[0]!.at).toEqual(events[1]!.at);
  expect((await fixture.findState('ada', flow.flow, 0))?.state.blocks).toMatchObject({
    [`u-${flow.flow}-a`]: { active: true },
  });
});

test('says so when the user has a state in a newer version, which readers of the latest see instead (I5)', async () => {
  await live(1);
  await fixture.commit({ ...flow, name: 'again' });
  await fixture.read('ada', flow.flow, 2);
  expect(await restore(1)).toMatchObject({ tookEffect: true, newerVersion: 2 });
});

test('only over the very revision that is named, so that nobody who has moved on is taken back (I6)', async () => {
  await live(1);
  const resolved = await fixture.catalogue.getFlow(flow.flow, 1);
  const wanted = { kind: 'restore', revision: 2, state: await stateAt(2) } as const;
  const put = (ifRevision: number) =>
    fixture.runner.run(
      resolved,
      { environmentId: fixture.environmentId, user: 'ada' },
      { ...wanted, ifRevision },
    );
  expect(await put(3)).toMatchObject({ tookEffect: false, revision: 4 });
  expect(await put(4)).toMatchObject({ tookEffect: true, revision: 5 });
});

describe('is refused', () => {
  test('for what never was: a revision, a version, a flow, a user (I5)', async () => {
    await live(1);
    await expect(restore(9)).rejects.toThrow('the last revision is 4');
    await expect(restore(1, 7)).rejects.toMatchObject({ code: 'version.unknown' });
    await expect(restore(1, 1, 'nobody')).rejects.toMatchObject({ code: 'user.unknown' });
    await fixture.identify('bob');
    await expect(restore(0, 1, 'bob')).rejects.toThrow('there is no state at all');
    expect(await fixture.findState('bob', flow.flow, 1)).toBeNull();
  });

  test('when the events that are needed are pruned (I5)', async () => {
    await live(1);
    const id = userId(fixture.environmentId, 'ada');
    await fixture.dataSource.query(
      'DELETE FROM flow_events WHERE user_id = $1 AND flow = $2 AND revision < 3',
      [id, flow.flow],
    );
    await expect(restore(3)).rejects.toThrow('events before revision 3 were deleted');
  });
});

test('an operator starts, stops, finishes and resets a flow for one user, each on record by the id of the user (I7, S9, S11)', async () => {
  const since = (await listAudit(fixture.dataSource.manager, { limit: 1 }))[0]?.at;
  const intend = (intent: Parameters<typeof commandState>[2]['intent']) =>
    commandState(
      fixture,
      fixture.environmentId,
      { user: 'ada', flow: flow.flow, version: 'latest', intent },
      AUTHOR,
    );
  expect(await intend({ kind: 'start', force: true })).toMatchObject({
    tookEffect: true,
    state: { started: true },
  });
  expect(await intend({ kind: 'stop' })).toMatchObject({
    tookEffect: true,
    state: { stopped: true },
  });
  expect(await intend({ kind: 'stop' })).toMatchObject({ tookEffect: false });
  expect(await intend({ kind: 'finish' })).toMatchObject({
    tookEffect: true,
    state: { finished: true },
  });
  expect(await intend({ kind: 'reset', force: false })).toMatchObject({
    tookEffect: true,
    state: { started: true },
  });
  const events = await fixture.loadEvents('ada', flow.flow, 1);
  expect(events.map(({ origin }) => origin)).toEqual(Array(4).fill('operator'));
  const entries = await listAudit(fixture.dataSource.manager, {
    what: 'state',
    ...(since && { since }),
  });
  const ours = entries.filter(({ subject }) => subject === `${flow.flow} version 1`);
  expect(ours.map(({ action, result }) => [action, result]).reverse()).toEqual([
    ['state.start', { outcome: 'done', tookEffect: true, revision: 1 }],
    ['state.stop', { outcome: 'done', tookEffect: true, revision: 2 }],
    ['state.stop', { outcome: 'done', tookEffect: false, revision: 2 }],
    ['state.finish', { outcome: 'done', tookEffect: true, revision: 3 }],
    ['state.reset', { outcome: 'done', tookEffect: true, revision: 4 }],
  ]);
  expect(new Set(ours.map((entry) => entry.userId))).toEqual(
    new Set([userId(fixture.environmentId, 'ada')]),
  );
});
