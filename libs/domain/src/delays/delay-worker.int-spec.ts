import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  branch,
  card,
  defineFlow,
  delay,
  modal,
  trigger,
  webhook,
} from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { createTestDatabase } from '@waymark/testing/postgres';
import { until } from '@waymark/testing/services';
import { fold } from '../engine/index.js';
import { archiveFlow, pinFlow, setReleases } from '../flows/index.js';
import { restoreState } from '../states/index.js';
import { userId } from '../users/index.js';
import { DelayQueue } from './delay-queue.js';
import { DelayRow, type DelayOutcome, DelayWorker, loadDueDelays } from './index.js';

const DAY = 86_400_000;
const AUTHOR = { by: 'ann' };

describe.each([
  ['one database', {}],
  ['partitions', { partitioned: true }],
  ['tables that are distributed', { rehearsed: true }],
])('delays, on %s', (_, options) => {
  let fixture: Fixture;
  let user: string;
  let name: string;
  let count = 0;
  let outcomes: DelayOutcome[] = [];

  beforeAll(async () => {
    fixture = await Fixture.open({ database: await createTestDatabase(options) });
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    name = `flow-${++count}`;
    user = `user-${count}`;
    outcomes = [];
    await fixture.identify(user);
  });
  afterEach(() => fixture.dataSource.query('DELETE FROM delays'));

  /** A card behind a delay behind a card; a millisecond is over at once. */
  const waiting = (time = 1, then = `${name}-then`) =>
    defineFlow({
      flow: name,
      blocks: {
        [`${name}-wait`]: delay(then, time),
        [`${name}-then`]: card(),
      },
    });
  const rows = () =>
    fixture.dataSource
      .getRepository(DelayRow)
      .find({ where: { userId: userId(fixture.environmentId, user) }, order: { version: 'ASC' } });
  const blocksOf = async (version = 1) =>
    (await fixture.findState(user, name, version))?.state.blocks;
  const makeDue = () => fixture.dataSource.query('UPDATE delays SET due_at = now()');
  /** Locks rows until it is called back, so that others wait for them. */
  const lock = async (rows: string): Promise<() => Promise<void>> => {
    const runner = fixture.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query(rows, [userId(fixture.environmentId, user)]);
    return async () => {
      await runner.commitTransaction();
      await runner.release();
    };
  };
  const untilOneWaits = () =>
    until(async () => {
      const waiting = await fixture.dataSource.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return waiting.length > 0;
    });
  /** Works until as many were due; what came of them is settled then. */
  const work = async (many = 1, on: Fixture = fixture, busy = {}) => {
    let done: () => void = () => undefined;
    const enough = new Promise<void>((resolve) => (done = resolve));
    const worker = new DelayWorker(on.database, on.runner, on.catalogue, {
      pollMs: 20,
      ...busy,
      onOutcome: (_, outcome) => {
        outcomes.push(outcome);
        if (outcomes.length >= many) done();
      },
    });
    worker.start();
    await enough;
    await worker.stop();
  };

  test('are written with the state, and go on once with the group that entered them (Z4)', async () => {
    await fixture.commit(waiting());
    await fixture.run(
      `${user}/acme`,
      name,
      1,
      { kind: 'start', force: false },
      {
        chain: 3,
        idempotencyKey: 'k',
        trace: { requestId: 'r-1' },
      },
    );
    const { state } = (await fixture.findState(user, name, 1))!;
    expect(await rows()).toMatchObject([
      {
        block: `u-${name}-wait`,
        revision: 1,
        dueAt: new Date(state.waiting![`u-${name}-wait`]!),
        groupIdentifier: 'acme',
        trace: { requestId: 'r-1' },
      },
    ]);
    await work();
    expect(outcomes).toEqual(['continued']);
    expect(await rows()).toEqual([]);
    const events = await fixture.loadEvents(user, name, 1);
    expect(events).toMatchObject([
      { origin: 'trigger' },
      { origin: 'delay', groupIdentifier: 'acme', event: { cause: { kind: 'continue' } } },
    ]);
    const after = (await fixture.findState(user, name, 1))!;
    expect(after.state.blocks).toMatchObject({ [`u-${name}-then`]: { active: true } });
    expect(after.recentKeys).toEqual(['k']);
    expect(fold(events.map(({ event }) => event))).toEqual(after.state);
  });

  test('wait by the time of the database, whatever the row says; then the row is set to it (Z4)', async () => {
    await fixture.commit(waiting(DAY));
    await fixture.read(user, name);
    const [{ dueAt }] = (await rows()) as [DelayRow];
    await makeDue();
    await work();
    expect(outcomes).toEqual(['moved-on']);
    expect(await rows()).toMatchObject([{ dueAt }]);
    expect(await fixture.loadEvents(user, name, 1)).toHaveLength(1);
  });

  test('that are over lose their row when it is due, and one entered anew keeps it (Z4, S11)', async () => {
    await fixture.commit(waiting(DAY));
    await fixture.read(user, name);
    await fixture.run(user, name, 1, { kind: 'stop' });
    expect(await rows()).toHaveLength(1);
    await makeDue();
    await work();
    expect(outcomes).toEqual(['moved-on']);
    expect(await rows()).toEqual([]);
    await fixture.run(user, name, 1, { kind: 'reset', force: false });
    expect(await rows()).toMatchObject([{ revision: 3 }]);
  });

  test('in a circle wait again with every round, each with a chain of its own for triggers (Z4, S4, S19)', async () => {
    const [wait, tell] = [`${name}-wait`, `${name}-tell`];
    await fixture.commit(
      defineFlow({
        flow: name,
        blocks: { [wait]: delay(tell, 1), [tell]: trigger('other', 'start', wait) },
      }),
    );
    await fixture.run(user, name, 1, { kind: 'start', force: false }, { chain: 24 });
    await work(3);
    const effects = await fixture.dataSource.query('SELECT chain FROM effects WHERE flow = $1', [
      name,
    ]);
    expect(effects.length).toBeGreaterThanOrEqual(3);
    expect(new Set(effects.map(({ chain }: { chain: number }) => chain))).toEqual(new Set([0]));
    const { revision } = (await fixture.findState(user, name, 1))!;
    expect(await rows()).toMatchObject([{ revision }]);
  });

  test('go on once over many replicas that found them due (Z4, S32)', async () => {
    await fixture.commit(waiting());
    const users = Array.from({ length: 230 }, (_, index) => `${name}-${index}`);
    await fixture.identifyAll(users, () => ({}));
    await Promise.all(users.map((each) => fixture.read(each, name)));
    const replicas = [fixture, await fixture.replica(), await fixture.replica()];
    const each = replicas.map((replica) => {
      const worker = new DelayWorker(replica.database, replica.runner, replica.catalogue, {
        pollMs: 20,
        onOutcome: (_, outcome) => outcomes.push(outcome),
      });
      worker.start();
      return worker;
    });
    const left = async () =>
      Number((await fixture.dataSource.query('SELECT count(*) FROM delays'))[0].count);
    while ((await left()) > 0);
    await Promise.all(each.map((worker) => worker.stop()));
    expect(outcomes.filter((outcome) => outcome === 'continued')).toHaveLength(users.length);
    const [events] = await fixture.dataSource.query(
      'SELECT count(*)::int AS all, max(revision) AS last FROM flow_events WHERE flow = $1',
      [name],
    );
    expect(events).toEqual({ all: 2 * users.length, last: 2 });
  });

  test('of a replica that is busy go on too, so many at a time: requests never hold them up for good (Z4)', async () => {
    await fixture.commit(waiting());
    const users = Array.from({ length: 130 }, (_, index) => `${name}-${index}`);
    await fixture.identifyAll(users, () => ({}));
    await Promise.all(users.map((each) => fixture.read(each, name)));
    // It looks once, and would look again at once, were it not busy.
    await work(100, fixture, { pollMs: 600_000, isBusy: () => true });
    expect(outcomes).toHaveLength(100);
    await work(130, fixture, { isBusy: () => true });
    expect(new Set(outcomes)).toEqual(new Set(['continued']));
  });

  test('of archived flows move on by an hour, and go on where these come back (Z4, B12)', async () => {
    await fixture.commit(waiting());
    await fixture.read(user, name);
    await archiveFlow(fixture.dataSource, name, AUTHOR);
    await fixture.catalogue.refresh();
    await work();
    expect(outcomes).toEqual(['held']);
    const [{ dueAt }] = (await rows()) as [DelayRow];
    const [{ now }] = await fixture.dataSource.query('SELECT now()');
    expect((dueAt.getTime() - now.getTime()) / 60_000).toBeCloseTo(60, 0);
    await fixture.apply(waiting());
    await makeDue();
    await work(2);
    expect(outcomes).toEqual(['held', 'continued']);
  });

  test('keep until when they wait over a migration, and go on in the version that the user has met (Z4, S28)', async () => {
    await fixture.commit(waiting(DAY));
    await fixture.read(user, name);
    const longer = waiting(9 * DAY);
    expect(await fixture.commit(longer)).toBe(2);
    await fixture.read(user, name);
    const [before, after] = (await rows()) as [DelayRow, DelayRow];
    expect([before.version, after.version]).toEqual([1, 2]);
    expect(after.dueAt).toEqual(before.dueAt);
    expect(await fixture.findState(user, name, 2)).toMatchObject({
      state: { waiting: { [`u-${name}-wait`]: before.dueAt.getTime() } },
    });
    // As if the day were over.
    await fixture.dataSource.query(
      `UPDATE flow_states SET state = jsonb_set(state, ARRAY['waiting', $1::text], '1') WHERE flow = $2`,
      [`u-${name}-wait`, name],
    );
    await makeDue();
    await work(2);
    expect(outcomes.sort()).toEqual(['continued', 'held']);
    expect(await blocksOf(1)).toEqual({});
    expect(await blocksOf(2)).toMatchObject({ [`u-${name}-then`]: { active: true } });
    // Back in the version from before, the delay that was left there goes on.
    await pinFlow(fixture.dataSource, fixture.environmentId, name, 1, AUTHOR);
    await fixture.catalogue.refresh();
    await makeDue();
    await work(3);
    expect(outcomes.at(-1)).toBe('continued');
    expect(await blocksOf(1)).toMatchObject({ [`u-${name}-then`]: { active: true } });
  });

  test('do not go on in a version that another replica has carried the user over from already (Z4, S28)', async () => {
    const late = await fixture.replica();
    await fixture.commit(waiting());
    await fixture.read(user, name);
    await late.catalogue.refresh();
    await fixture.commit(waiting(9 * DAY));
    await fixture.read(user, name);
    await work(2, late);
    expect(outcomes.sort()).toEqual(['continued', 'held']);
    expect(await fixture.loadEvents(user, name, 1)).toHaveLength(1);
  });

  test('that go on while their user is being carried over do not wait in the new version too (Z4, S28)', async () => {
    await fixture.commit(waiting());
    await fixture.read(user, name);
    await fixture.commit(waiting(2));
    const other = await fixture.replica();
    const unlock = await lock('SELECT FROM users WHERE user_id = $1 FOR UPDATE');
    // It has read the state in version 1, and waits for the user.
    const reading = fixture.read(user, name);
    await untilOneWaits();
    await work(1, other);
    await unlock();
    const { state } = await reading;
    expect(outcomes).toEqual(['continued']);
    expect(state.blocks).toMatchObject({ [`u-${name}-then`]: { active: true } });
    expect(state.waiting).toBeUndefined();
    expect(await rows()).toEqual([]);
  });

  test('whose user is carried over while they are about to go on do so in the new version alone (Z4, S28)', async () => {
    await fixture.commit(waiting());
    await fixture.read(user, name);
    await fixture.commit(waiting(2));
    const unlock = await lock('SELECT FROM flow_states WHERE user_id = $1 FOR SHARE');
    const working = work(2, await fixture.replica());
    await untilOneWaits();
    await fixture.read(user, name);
    await unlock();
    await working;
    expect(outcomes.sort()).toEqual(['continued', 'held']);
    expect(await fixture.loadEvents(user, name, 1)).toHaveLength(1);
    expect(await blocksOf(2)).toMatchObject({ [`u-${name}-then`]: { active: true } });
  });

  test('do not go on in a version that was new after the last look (Z4, S28)', async () => {
    const late = await fixture.replica();
    await fixture.commit(waiting());
    await fixture.read(user, name);
    const unlock = await lock('SELECT FROM flow_states WHERE user_id = $1 FOR SHARE');
    const working = work(2, late);
    await untilOneWaits();
    await fixture.commit(waiting(2));
    await fixture.read(user, name);
    await unlock();
    await working;
    expect(outcomes.sort()).toEqual(['continued', 'held']);
    expect(await fixture.loadEvents(user, name, 1)).toHaveLength(1);
  });

  test('go on in the newest version that their user has met, where a newer one is there already (Z4, S28)', async () => {
    for (let version = 1; version <= 2; version++) {
      await fixture.commit(waiting(version));
      await fixture.read(user, name);
    }
    await fixture.commit(waiting(3));
    await work(2);
    expect(outcomes.sort()).toEqual(['continued', 'held']);
    expect(await fixture.loadEvents(user, name, 1)).toHaveLength(1);
    expect(await blocksOf(2)).toMatchObject({ [`u-${name}-then`]: { active: true } });
  });

  test('go on in an environment to which their flow was never released (Z4, Z10)', async () => {
    await fixture.commit(waiting());
    await fixture.read(user, name);
    // As if it had been committed there afterwards, and its version named by number.
    await setReleases(fixture.dataSource, 'development', true, AUTHOR);
    await fixture.dataSource.query('DELETE FROM flow_pins WHERE flow = $1', [name]);
    await fixture.catalogue.refresh();
    await work();
    await setReleases(fixture.dataSource, 'development', false, AUTHOR);
    await fixture.catalogue.refresh();
    expect(outcomes).toEqual(['continued']);
  });

  test('of states that are given back wait as they did, and are due then (Z4, I5)', async () => {
    await fixture.commit(waiting(DAY));
    await fixture.read(user, name);
    const [{ dueAt }] = (await rows()) as [DelayRow];
    await fixture.run(user, name, 1, { kind: 'stop' });
    await makeDue();
    await work();
    expect(await rows()).toEqual([]);
    await restoreState(
      fixture,
      fixture.environmentId,
      { user, flow: name, version: 1, revision: 1 },
      AUTHOR,
    );
    expect(await rows()).toMatchObject([{ dueAt, revision: 3 }]);
  });

  test('in version 0 keep until when they wait over edits; one that is gone is forgotten (Z4, S27)', async () => {
    await fixture.apply(waiting(DAY));
    await fixture.read(user, name, 0);
    const { waiting: before } = (await fixture.findState(user, name, 0))!.state;
    await fixture.apply(waiting(2 * DAY));
    await fixture.read(user, name, 0);
    expect((await fixture.findState(user, name, 0))!.state.waiting).toEqual(before);
    await fixture.apply(
      defineFlow({ flow: name, blocks: { [`${name}-then`]: modal(), [`${name}-b`]: webhook() } }),
    );
    await makeDue();
    await work();
    expect(outcomes).toEqual(['continued']);
    expect((await fixture.loadEvents(user, name, 0)).at(-1)).toMatchObject({
      event: { cause: { kind: 'edited' } },
    });
    expect(await rows()).toEqual([]);
  });

  test('decide by the properties of the time at which they are over (Z4, S15)', async () => {
    const [wait, fork, yes, no] = ['wait', 'fork', 'yes', 'no'].map((id) => `${name}-${id}`) as [
      string,
      string,
      string,
      string,
    ];
    await fixture.commit(
      defineFlow({
        flow: name,
        blocks: {
          [wait]: delay(fork, 1),
          [fork]: branch('user.properties.paid', { true: yes, false: no }),
          [yes]: card(),
          [no]: card(),
        },
      }),
    );
    await fixture.read(user, name);
    await fixture.identify(user, { paid: true });
    await work();
    expect(await blocksOf()).toMatchObject({ [`u-${yes}`]: { active: true } });
  });

  test('of a flow in an attention group are written with its place, which it keeps while it waits (Z4, Q2)', async () => {
    await fixture.commit({ ...waiting(), attention: { group: 'news' } });
    await fixture.read(user, name);
    expect(await rows()).toHaveLength(1);
    const places = () =>
      fixture.dataSource.query('SELECT places FROM attention_states WHERE user_id = $1', [
        userId(fixture.environmentId, user),
      ]);
    expect(await places()).toEqual([{ places: { [name]: 1 } }]);
    await work();
    expect(await places()).toEqual([{ places: { [name]: 1 } }]);
    await fixture.run(user, name, 1, { kind: 'reset', force: false });
    expect(await rows()).toMatchObject([{ revision: 3 }]);
  });

  test('that wait anew are not settled by what came of them before (Z4)', async () => {
    await fixture.commit(waiting());
    await fixture.read(user, name);
    await makeDue();
    const queue = new DelayQueue(fixture.database);
    const claimed = await queue.claim();
    expect(claimed).toMatchObject([{ user, revision: 1 }]);
    expect(await queue.claim()).toEqual([]);
    await fixture.run(user, name, 1, { kind: 'reset', force: false });
    await queue.settle(claimed.map((delay) => [delay, 'gone']));
    expect(await rows()).toMatchObject([{ revision: 2 }]);
  });

  test('that are due are counted by environment (Z4)', async () => {
    await fixture.commit(waiting());
    await fixture.read(user, name);
    await makeDue();
    expect(await loadDueDelays(fixture.database)).toContainEqual({
      environment: 'development',
      due: 1,
      oldestSeconds: expect.any(Number),
    });
  });
});
