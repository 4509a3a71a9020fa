import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase, isDistributedRun, type TestDatabase } from '@waymark/testing/postgres';
import { until } from '@waymark/testing/services';
import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { Database } from '../database/index.js';
import { createDataSource } from '../schema/index.js';
import {
  groupId,
  Identify,
  userId,
  type IdentifyRequest,
  type IdentifiedSubject,
} from './index.js';
import { IDENTIFY_USERS, IDENTIFY_WITH_GROUPS } from './identify-statement.js';

const ENVIRONMENT = '6f0a2f3e-6f5b-4d3f-9f0c-0b8c1d2e3f40';
const subject = (identifier: string, properties: object | string = {}): IdentifiedSubject => ({
  identifier,
  properties: typeof properties === 'string' ? properties : JSON.stringify(properties),
  where: '',
});
const request = (parts: Partial<IdentifyRequest>): IdentifyRequest => ({
  environmentId: ENVIRONMENT,
  users: [],
  groups: [],
  memberships: [],
  ...parts,
});
const user = (identifier: string, properties?: object | string) =>
  request({ users: [subject(identifier, properties)] });
/** A request that waits for its turn on a busy machine is not refused for it. */
const PATIENCE = { patienceMs: 300_000 };
const outcome = (promise: Promise<void>) =>
  promise.then(
    () => 'written',
    (error: { code: string }) => error.code,
  );

describe.each([
  { shape: 'plain', partitioned: false },
  { shape: 'hash-partitioned', partitioned: true },
  { shape: 'distributed', rehearsed: true },
])('identify on the $shape schema', ({ partitioned, rehearsed }) => {
  const isSpread = rehearsed === true || (isDistributedRun() && partitioned !== true);
  let testDatabase: TestDatabase;
  let dataSource: DataSource;
  let identify: Identify;
  let someone: string;

  beforeAll(async () => {
    testDatabase = await createTestDatabase({ partitioned, rehearsed });
    dataSource = await testDatabase.connect();
    identify = new Identify(new Database(dataSource), PATIENCE);
  });
  afterAll(() => testDatabase.drop());
  beforeEach(() => {
    someone = randomUUID();
  });

  const load = async (identifier: string, table = 'users') => {
    const rows = (await dataSource.query(
      `SELECT properties::text, created_at::text, updated_at::text FROM ${table} WHERE identifier = $1`,
      [identifier],
    )) as { properties: string; created_at: string; updated_at: string }[];
    return rows[0];
  };
  const loadProperties = async (identifier: string, table?: string) =>
    (await load(identifier, table))?.properties;

  test('merges per top-level key: named keys are set whole, unnamed keys stay (U1)', async () => {
    await identify.run(user(someone, { a: { x: 1 }, b: 1, c: 'c' }));
    await identify.run(user(someone, { a: { y: 2 }, b: null }));
    expect(JSON.parse((await loadProperties(someone))!)).toEqual({ a: { y: 2 }, b: null, c: 'c' });
  });

  test('keeps the time of the first identify and moves the time of the last, also when nothing is new (U1)', async () => {
    await identify.run(user(someone, { a: 1 }));
    const first = (await load(someone))!;
    await identify.run(user(someone, { a: 1 }));
    const second = (await load(someone))!;
    expect(first.updated_at).toBe(first.created_at);
    expect(second.created_at).toBe(first.created_at);
    expect(second.updated_at > first.updated_at).toBe(true);
  });

  test('keeps every number as jsonb keeps it, merged or not (U2)', async () => {
    const raw = '{"big":9007199254740993,"wide":1e400,"exact":0.10,"\\u0061":-0.0}';
    await Promise.all([
      identify.run(user(someone, raw)),
      identify.run(user(someone, '{"other":12345678901234567890.5}')),
    ]);
    expect(await loadProperties(someone)).toBe(
      `{"a": 0.0, "big": 9007199254740993, "wide": 1${'0'.repeat(400)}, "exact": 0.10, "other": 12345678901234567890.5}`,
    );
  });

  test('writes users, groups and memberships in one commit and leaves other memberships alone (U3)', async () => {
    const memberOf = async () =>
      (
        (await dataSource.query(
          `WITH m AS MATERIALIZED (SELECT group_id FROM memberships WHERE user_id = $1)
           SELECT g.identifier FROM m JOIN groups g USING (group_id) ORDER BY 1`,
          [userId(ENVIRONMENT, someone)],
        )) as { identifier: string }[]
      ).map(({ identifier }) => identifier);
    const [one, two] = [`${someone}-1`, `${someone}-2`];
    const memberships = [one, two].map((group) => ({ user: someone, group }));
    await identify.run(
      request({
        users: [subject(someone)],
        groups: [subject(one, { a: 1 }), subject(two)],
        memberships,
      }),
    );
    const [asUser, asGroup] = [await load(someone), await load(one, 'groups')];
    // By default it is the time of the transaction.
    expect(asGroup!.created_at).toBe(asUser!.created_at);
    await identify.run(
      request({
        users: [subject(someone)],
        groups: [subject(one, { b: 2 })],
        memberships: memberships.slice(0, 1),
      }),
    );
    expect(await memberOf()).toEqual([one, two]);
    expect(JSON.parse((await loadProperties(one, 'groups'))!)).toEqual({ a: 1, b: 2 });
  });

  test('keeps users of equal identifiers in different environments apart (R9)', async () => {
    await identify.run(user(someone, { a: 1 }));
    await identify.run({ ...user(someone, { b: 2 }), environmentId: randomUUID() });
    const rows = await dataSource.query(
      'SELECT properties FROM users WHERE identifier = $1 ORDER BY created_at',
      [someone],
    );
    expect(rows).toEqual([{ properties: { a: 1 } }, { properties: { b: 2 } }]);
  });

  test('applies repeated identifiers of a request in order (U4)', async () => {
    await identify.run(
      request({
        users: [
          subject(someone, { a: 1, b: 1 }),
          subject(someone, { a: 2 }),
          subject(someone, { c: 3 }),
        ],
      }),
    );
    expect(JSON.parse((await loadProperties(someone))!)).toEqual({ a: 2, b: 1, c: 3 });
  });

  test('writes nothing of a request whose one user grows too large, and says which (U1, U4)', async () => {
    await identify.run(user(someone, { a: 'x'.repeat(600_000) }));
    const before = await load(someone);
    const neighbour = `${someone}-neighbour`;
    const users = [
      subject(neighbour),
      { ...subject(someone, { b: 'y'.repeat(600_000) }), where: '[1]' },
    ];
    await expect(identify.run(request({ users }))).rejects.toMatchObject({
      code: 'properties.too-large',
      message: `[1]: the properties of the user "${someone}", merged with those already stored, take more than 1 MiB as the database writes them, with a blank after each comma and colon; nothing was changed`,
    });
    expect(await load(neighbour)).toBeUndefined();
    expect(await load(someone)).toEqual(before);
  });

  test('holds groups to the same limit (U1)', async () => {
    const large = (key: string) =>
      request({ groups: [subject(someone, { [key]: 'x'.repeat(600_000) })] });
    await identify.run(large('a'));
    await expect(identify.run(large('b'))).rejects.toThrow(
      `the properties of the group "${someone}"`,
    );
  });

  test('refuses data that jsonb cannot hold and writes the neighbours in the same statement (R5, U2)', async () => {
    const requests = Array.from({ length: 20 }, (_, index) =>
      user(`${someone}-${index}`, index === 7 ? '{"a":1e200000}' : { index }),
    );
    const outcomes = await Promise.all(requests.map((one) => outcome(identify.run(one))));
    expect(outcomes).toEqual(
      requests.map((_, index) => (index === 7 ? 'request.invalid' : 'written')),
    );
    expect(await load(`${someone}-7`)).toBeUndefined();
    expect(await loadProperties(`${someone}-8`)).toBe('{"index": 8}');
  });

  test('is committed and readable by others when it is answered (U7)', async () => {
    for (let round = 0; round < 20; round++) {
      await identify.run(user(someone, { round }));
      expect(await loadProperties(someone)).toBe(`{"round": ${round}}`);
    }
  });

  test('writes concurrent requests with few commits (P7)', async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => identify.run(user(`${someone}-${index}`))),
    );
    const rows = await dataSource.query(
      'SELECT count(*)::int AS users, count(DISTINCT created_at)::int AS commits FROM users WHERE identifier LIKE $1',
      [`${someone}-%`],
    );
    // Each may lie on another server there, and so is written alone.
    expect(rows).toEqual([{ users: 60, commits: isSpread ? expect.closeTo(60, -1) : 1 }]);
  });

  test('keeps every key of a hundred concurrent merges into one user, on two replicas (R8)', async () => {
    const other = new Identify(new Database(dataSource), PATIENCE);
    const merges = Array.from({ length: 100 }, (_, index) =>
      [identify, other][index % 2]!.run(user(someone, { [`key-${index}`]: index })),
    );
    await Promise.all(merges);
    expect(Object.keys(JSON.parse((await loadProperties(someone))!) as object)).toHaveLength(100);
  });

  test('writes concurrent batches whole, however their keys are ordered (R7)', async () => {
    const replicas = Array.from(
      { length: 4 },
      () => new Identify(new Database(dataSource), { ...PATIENCE, maxInFlight: 4, rows: 1 }),
    );
    const names = Array.from({ length: 40 }, (_, index) => `${someone}-${index}`);
    const batch = (order: string[]) =>
      request({
        users: order.map((name) => subject(name, { name })),
        groups: order.map((name) => subject(name)),
        memberships: order.map((name) => ({ user: name, group: name })),
      });
    for (let round = 0; round < 15; round++) {
      const orders = replicas.map((_, index) => (index % 2 ? names : names.toReversed()));
      await Promise.all(
        replicas.flatMap((replica, index) => [
          replica.run(batch(orders[index]!)),
          replica.run(batch(names)),
        ]),
      );
    }
    const rows = await dataSource.query(
      'SELECT count(*)::int AS count FROM users WHERE identifier LIKE $1',
      [`${someone}-%`],
    );
    expect(rows).toEqual([{ count: 40 }]);
  });

  test.each(['users', 'groups'] as const)(
    'locks %s by their keys, whatever their order: who waits holds nothing that another wants next (R7)',
    async (kind) => {
      const keyOf = (name: string) => (kind === 'users' ? userId : groupId)(ENVIRONMENT, name);
      const key = kind === 'users' ? 'user_id' : 'group_id';
      const names = [1, 2, 3]
        .map((index) => `${someone}-${index}`)
        .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
      const run = (all: readonly string[]) =>
        new Identify(new Database(dataSource), PATIENCE).run(
          request({ [kind]: all.map((name) => subject(name)) }),
        );
      await run(names);
      const holding = dataSource.createQueryRunner();
      await holding.startTransaction();
      const lock = (name: string, more = '') =>
        holding.query(`SELECT FROM ${kind} WHERE ${key} = $1 FOR UPDATE ${more}`, [
          keyOf(name),
        ]) as Promise<unknown[]>;
      await lock(names[1]!);
      const both = [run(names), run(names.toReversed())];
      await until(async () => {
        const waiting = await dataSource.query<unknown[]>(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return waiting.length === 2;
      });
      const free = await lock(names[2]!, 'SKIP LOCKED');
      await holding.rollbackTransaction();
      await holding.release();
      await Promise.all(both);
      expect(free).toHaveLength(1);
    },
  );

  const explain = async ({ text }: { text: string }) => {
    const rows = (await dataSource.query(
      `EXPLAIN (COSTS OFF) ${text.replaceAll(/\$[123]/g, "'[]'")}`,
    )) as {
      'QUERY PLAN': string;
    }[];
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  const testPlan = isSpread ? test.skip : test;
  testPlan('locks users before groups before memberships in the plan itself (U4)', async () => {
    const plan = await explain(IDENTIFY_WITH_GROUPS);
    const [users, groups, filter] = [
      'CTE written_users',
      'CTE written_groups',
      'One-Time Filter',
    ].map((text) => plan.indexOf(text));
    expect(users).toBeGreaterThan(-1);
    expect(groups).toBeGreaterThan(users!);
    expect(filter).toBeGreaterThan(groups!);
    expect(plan.match(/One-Time Filter/g)).toHaveLength(2);
  });

  testPlan('finds every row by its key, in one partition, and scans no table', async () => {
    for (const statement of [IDENTIFY_USERS, IDENTIFY_WITH_GROUPS]) {
      const plan = await explain(statement);
      expect(plan).not.toMatch(/Seq Scan|Index Scan|Append/);
      expect(plan.match(/Conflict Arbiter Indexes: \w+_pkey/g)).toHaveLength(
        plan.match(/Insert on/g)!.length,
      );
    }
  });

  test('lets the neighbours of a locked user through, and answers the locked one (R4)', async () => {
    const locker = dataSource.createQueryRunner();
    await identify.run(user(someone));
    await locker.startTransaction();
    await locker.query('SELECT 1 FROM users WHERE user_id = $1 FOR UPDATE', [
      userId(ENVIRONMENT, someone),
    ]);
    const timeouts = { statementTimeoutMs: 600, connectTimeoutMs: 0, answerTimeoutMs: 0 };
    const impatient = createDataSource({
      url: testDatabase.url,
      poolSize: 4,
      applicationName: 'test',
      ...timeouts,
    });
    await impatient.initialize();
    try {
      const replica = new Identify(new Database(impatient));
      // On a slow machine those who are let through may be late by themselves, but not always.
      await until(async () => {
        const [locked, ...others] = await Promise.all(
          [someone, `${someone}-a`, `${someone}-b`].map((name) => outcome(replica.run(user(name)))),
        );
        expect(locked).not.toBe('written');
        return others.every((other) => other === 'written');
      });
    } finally {
      await locker.rollbackTransaction();
      await locker.release();
      await impatient.destroy();
    }
  });

  test('a request behind a lock that ends within its patience is written, not refused (R4)', async () => {
    const locker = dataSource.createQueryRunner();
    await identify.run(user(someone));
    await locker.startTransaction();
    // On a slow machine the lock may be held for longer than connections may idle.
    await locker.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await locker.query('SELECT 1 FROM users WHERE user_id = $1 FOR UPDATE', [
      userId(ENVIRONMENT, someone),
    ]);
    const timeouts = { statementTimeoutMs: 200, connectTimeoutMs: 0, answerTimeoutMs: 0 };
    const impatient = createDataSource({
      url: testDatabase.url,
      poolSize: 4,
      applicationName: 'behind',
      ...timeouts,
    });
    await impatient.initialize();
    const written = outcome(new Identify(new Database(impatient), PATIENCE).run(user(someone)));
    await until(async () => (await lockWaits()) > 0);
    await until(async () => (await lockWaits()) === 0);
    await locker.rollbackTransaction();
    await locker.release();
    expect(await written).toBe('written');
    await impatient.destroy();
  });

  const lockWaits = async () => {
    const [row] = (await dataSource.query(
      "SELECT count(*)::int AS waits FROM pg_stat_activity WHERE application_name = 'behind' AND wait_event_type = 'Lock'",
    )) as [{ waits: number }];
    return row.waits;
  };
});
