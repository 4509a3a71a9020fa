import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startFaultProxy } from '@waymark/testing/fault-proxy';
import { createTestDatabase, isDistributedRun, type TestDatabase } from '@waymark/testing/postgres';
import { until } from '@waymark/testing/services';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../schema/data-source.js';
import { Database } from '../../database/index.js';
import { EMPTY_STATE, type FlowEvent } from '../../engine/index.js';
import { userId } from '../../users/index.js';
import { FlowStateStore } from './flow-state-store.js';
import type { StateOwner } from './state-owner.js';
import { type NextState, rowOf, stateWrite, type StateWrite } from './state-write.js';
import { WRITE_STATES } from './write-statements.js';

const ENVIRONMENT = '5a6f1b1c-1f5e-4d0e-9b57-0c4d8f1f2a33';
const FLOW = { flow: 'moved', version: 1, edition: 1 };
const event: FlowEvent = { format: 1, cause: { kind: 'stop' }, changes: [] };
const LONG = 300_000;
const later = () => performance.now() + LONG;

const idOf = (user: string) => userId(ENVIRONMENT, user);
const owner = (user: string, more: Partial<StateOwner> = {}): StateOwner => ({
  userId: idOf(user),
  groupId: null,
  groupIdentifier: null,
  idempotencyKey: null,
  origin: 'request',
  chain: 0,
  trace: null,
  ...more,
});
const next = (revisionBefore: number, more: Partial<NextState> = {}): NextState => ({
  revisionBefore,
  state: { ...EMPTY_STATE, stopped: true },
  recentKeys: [],
  events: [event],
  effects: [],
  ...more,
});
const move = (user: string, before: number, more?: Partial<NextState>): StateWrite =>
  stateWrite(owner(user), FLOW, next(before, more));

/** Each shape that tables come in; a run about distributed tables has only that. */
const SHAPES = [
  { shape: 'plain' },
  ...(isDistributedRun() ? [] : [{ shape: 'partitioned', partitioned: true }]),
  { shape: 'distributed', rehearsed: true },
];

describe.each(SHAPES)(
  'writing states on the $shape schema',
  ({ shape, partitioned, rehearsed }) => {
    const isShared = shape !== 'distributed' && !isDistributedRun();
    let testDatabase: TestDatabase;
    let dataSource: DataSource;
    let store: FlowStateStore;
    let crowd = 0;
    let users: string[];

    beforeAll(async () => {
      testDatabase = await createTestDatabase({ partitioned, rehearsed });
      dataSource = await testDatabase.connect();
      store = new FlowStateStore(new Database(dataSource));
    });
    afterAll(() => testDatabase.drop());
    beforeEach(async () => {
      crowd++;
      users = Array.from({ length: 20 }, (_, index) => `user-${crowd}-${index}`);
      await dataSource.query(
        `INSERT INTO users (user_id, environment_id, identifier, properties)
       SELECT id, $1, name, '{}' FROM unnest($2::uuid[], $3::text[]) u (id, name)`,
        [ENVIRONMENT, users.map(idOf), users],
      );
    });

    const write = (one: StateWrite, isAlone = false) => store.write(one, later(), isAlone);
    const writeEach = (before: number) =>
      Promise.all(users.map((user) => write(move(user, before))));
    const settleEach = async (writes: Promise<boolean>[]) =>
      (await Promise.allSettled(writes)).map((one) =>
        one.status === 'fulfilled' ? one.value : (one.reason as { code: string }).code,
      );
    const revisions = async () =>
      (
        await dataSource.query<{ revision: number; events: string }[]>(
          `SELECT s.revision, (SELECT string_agg(e.revision::text, ',' ORDER BY e.revision) FROM flow_events e WHERE e.user_id = s.user_id) AS events
         FROM unnest($1::uuid[]) WITH ORDINALITY u (id, place) JOIN flow_states s ON s.user_id = u.id ORDER BY place`,
          [users.map(idOf)],
        )
      ).map(({ revision, events }) => `${revision}: ${events}`);
    const all = (text: string) => users.map(() => text);
    const lockState = async (user: string) => {
      const locker = dataSource.createQueryRunner();
      await locker.startTransaction();
      await locker.query('SELECT FROM flow_states WHERE user_id = $1 FOR UPDATE', [idOf(user)]);
      return async () => {
        await locker.rollbackTransaction();
        await locker.release();
      };
    };

    /** Statements of the replica that is far away, which wait for something of that kind. */
    const countBusy = async (kind: string) => {
      const [row] = await dataSource.query<{ busy: number }[]>(
        `SELECT count(*)::int AS busy FROM pg_stat_activity
       WHERE application_name = 'far' AND state = 'active' AND coalesce(wait_event_type, '') LIKE $1`,
        [kind],
      );
      return row!.busy;
    };

    test('states that come together share a statement and its commit, new ones and old (P6, P7)', async () => {
      expect(await writeEach(0)).toEqual(users.map(() => true));
      expect(await writeEach(1)).toEqual(users.map(() => true));
      expect(await revisions()).toEqual(all('2: 1,2'));
      const commits = await dataSource.query<{ commits: number }[]>(
        'SELECT count(DISTINCT place)::int AS commits FROM flow_events WHERE user_id = ANY ($1::uuid[]) GROUP BY revision',
        [users.map(idOf)],
      );
      const expected = isShared ? 1 : users.length;
      expect(commits).toEqual([{ commits: expected }, { commits: expected }]);
    });

    test('a state that has moved, or is there already, is left alone; its neighbours are written (S32)', async () => {
      await writeEach(0);
      const again = users.map((user, index) =>
        write(move(user, index % 4 ? 1 : index % 8 ? 0 : 2)),
      );
      expect(await Promise.all(again)).toEqual(users.map((_, index) => index % 4 !== 0));
      expect(await revisions()).toEqual(users.map((_, index) => (index % 4 ? '2: 1,2' : '1: 1')));
    });

    test('a user who is gone leaves neither state, event nor effect (S32)', async () => {
      await dataSource.query('DELETE FROM users WHERE user_id = $1', [idOf(users[3]!)]);
      const effects: NextState['effects'] = [
        {
          revision: 1,
          effect: { kind: 'webhook', block: 'b', url: 'https://example.com', headers: [] },
        },
      ];
      const written = await Promise.all(users.map((user) => write(move(user, 0, { effects }))));
      expect(written).toEqual(users.map((_, index) => index !== 3));
      for (const table of ['flow_states', 'flow_events', 'effects'])
        expect(
          await dataSource.query(`SELECT FROM ${table} WHERE user_id = $1`, [idOf(users[3]!)]),
        ).toEqual([]);
    });

    test('events and effects carry what their own command came with, in its order (S6, S19, E5)', async () => {
      const effectOf = (user: string, block: string) => ({
        kind: 'webhook' as const,
        block,
        url: `https://example.com/${user}`,
        headers: [],
      });
      await Promise.all(
        users.map((user, index) => {
          const effects = [
            { revision: 1, effect: effectOf(user, 'first') },
            { revision: 1, effect: effectOf(user, 'second') },
            { revision: 2, effect: effectOf(user, 'third') },
          ];
          const own = owner(user, {
            groupIdentifier: `group "${index}"`,
            idempotencyKey: `key-"${index}"`,
            chain: index,
            trace: { requestId: `request-${index}` },
          });
          return write(stateWrite(own, FLOW, next(0, { events: [event, event], effects })));
        }),
      );
      const events = await dataSource.query(
        `SELECT revision, idempotency_key AS key, group_identifier AS "group", origin FROM flow_events
       WHERE user_id = $1 ORDER BY revision`,
        [idOf(users[7]!)],
      );
      expect(events).toEqual([
        { revision: 1, key: null, group: 'group "7"', origin: 'request' },
        { revision: 2, key: 'key-"7"', group: 'group "7"', origin: 'request' },
      ]);
      const effects = await dataSource.query(
        `SELECT revision, position, effect->>'block' AS block, effect->>'url' AS url, group_identifier AS "group", chain, trace
       FROM effects WHERE user_id = $1 ORDER BY revision, position`,
        [idOf(users[7]!)],
      );
      const shared = {
        url: `https://example.com/${users[7]}`,
        group: 'group "7"',
        chain: 7,
        trace: { requestId: 'request-7' },
      };
      expect(effects).toEqual([
        { revision: 1, position: 0, block: 'first', ...shared },
        { revision: 1, position: 1, block: 'second', ...shared },
        { revision: 2, position: 0, block: 'third', ...shared },
      ]);
    });

    test('what the database refuses fails its own command and no other (R5)', async () => {
      const bad = stateWrite(owner(users[5]!, { groupIdentifier: 'a\0b' }), FLOW, next(0));
      const written = users.map((user, index) => write(index === 5 ? bad : move(user, 0)));
      const outcomes = await settleEach(written);
      expect(outcomes.filter((outcome) => outcome === true)).toHaveLength(users.length - 1);
      expect(outcomes[5]).toMatch(/^22/);
      expect(await revisions()).toEqual(all('1: 1').slice(1));
    });

    test('a state that another transaction has locked holds up nobody; alone its command waits and is written (R4)', async () => {
      await writeEach(0);
      const unlock = await lockState(users[2]!);
      const others = users.filter((_, index) => isShared || index !== 2);
      const written = others.map((user) => write(move(user, 1)));
      expect(await Promise.all(written)).toEqual(others.map((user) => user !== users[2]));
      const alone = write(move(users[2]!, 1), true);
      await unlock();
      expect(await alone).toBe(true);
      expect(await revisions()).toEqual(all('2: 1,2'));
    });

    test('a large state is written by itself and holds up nobody (P6)', async () => {
      await writeEach(0);
      const unlock = await lockState(users[0]!);
      const giant = { ...EMPTY_STATE, blocks: { big: { transitioned: ['x'.repeat(200_000)] } } };
      const large = write(move(users[0]!, 1, { state: giant }));
      const small = users.slice(1).map((user) => write(move(user, 1)));
      expect(await Promise.all(small)).toEqual(small.map(() => true));
      await unlock();
      expect(await large).toBe(true);
    });

    test('a commit whose answer is lost is told to its commands as unknown, and never sent again (R6)', async () => {
      await writeEach(0);
      const { port } = new URL(testDatabase.url);
      const proxy = await startFaultProxy({ port: Number(port) });
      const timeouts = { statementTimeoutMs: 0, connectTimeoutMs: 0, answerTimeoutMs: 0 };
      const url = proxy.through(testDatabase.url);
      const remote = createDataSource({ url, poolSize: 4, applicationName: 'far', ...timeouts });
      await remote.initialize();
      const database = new Database(remote);
      await database.isDistributed();
      const far = new FlowStateStore(database);
      // In steps, the answer that is lost is that of the first one, and so nothing was committed.
      const unlock = isShared ? null : await lockState(users[0]!);
      const sent = users.slice(0, isShared ? users.length : 1);
      const writes = sent.map((user) => far.write(move(user, 1), later(), false));
      if (unlock) await until(async () => (await countBusy('Lock')) > 0);
      proxy.set({ kind: 'drop-answer', times: 1 });
      await unlock?.();
      expect(await settleEach(writes)).toEqual(sent.map(() => 'database.unavailable'));
      proxy.heal();
      await until(async () => (await countBusy('%')) === 0);
      expect(await revisions()).toEqual(all(isShared ? '2: 1,2' : '1: 1'));
      await remote.destroy();
      await proxy.close();
    });

    if (!isShared) return;

    test('statements of two replicas that name the same states in opposite orders never deadlock, and write each once (R7)', async () => {
      const replicas = await Promise.all([testDatabase.connect(), testDatabase.connect()]);
      const [one, other] = replicas.map((replica) => new Database(replica));
      const known = users.slice(0, 10);
      for (const user of known) await write(move(user, 0));
      for (let round = 1; round <= 20; round++) {
        // Half of them move on, the others are new in each round.
        const writes = users.map((user, index) => {
          const flow = { ...FLOW, flow: index < 10 ? FLOW.flow : `moved-${round}` };
          return stateWrite(owner(user), flow, next(index < 10 ? round : 0));
        });
        const rows = (list: StateWrite[]) => [`[${list.map(rowOf).join(',')}]`];
        const answers = await Promise.all([
          one!.run<{ place: number }>(WRITE_STATES, rows(writes)),
          other!.run<{ place: number }>(WRITE_STATES, rows(writes.toReversed())),
        ]);
        const places = [
          ...answers[0].map(({ place }) => place),
          ...answers[1].map(({ place }) => users.length - 1 - place),
        ];
        expect(places.sort((a, b) => a - b)).toEqual(users.map((_, index) => index));
      }
    });

    test('states and users are found and locked by their keys, whatever plan is kept, and no table is scanned (P9)', async () => {
      for (const mode of ['force_generic_plan', 'force_custom_plan']) {
        const runner = dataSource.createQueryRunner();
        await runner.query(`SET plan_cache_mode = ${mode}`);
        await runner.query(`PREPARE planned AS ${WRITE_STATES.text}`);
        const lines = (await runner.query("EXPLAIN (COSTS OFF) EXECUTE planned('[]')")) as {
          'QUERY PLAN': string;
        }[];
        await runner.query('DEALLOCATE planned');
        await runner.query('RESET plan_cache_mode');
        await runner.release();
        const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
        expect(plan).not.toMatch(/Seq Scan on/);
        expect(plan.match(/LockRows/g)).toHaveLength(2);
        expect(plan.match(/Conflict Arbiter Indexes: flow_states\w*_pkey/g)).toHaveLength(2);
        expect(plan).toMatch(
          /Conflict Resolution: NOTHING[^]*Sort Key: present.user_id, present.flow, present.version/,
        );
      }
    });
  },
);
