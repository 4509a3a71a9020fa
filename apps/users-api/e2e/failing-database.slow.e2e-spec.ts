import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDataSource } from '@waymark/domain/schema';
import { createKey } from '@waymark/domain/access';
import { bootstrap, type RunningService } from '@waymark/service-kit/bootstrap';
import { startFaultProxy, type FaultProxy } from '@waymark/testing/fault-proxy';
import {
  createTestDatabase,
  startThrowawayPostgres,
  type TestDatabase,
} from '@waymark/testing/postgres';
import {
  call,
  IN_TIME,
  spawnService,
  startService,
  until,
  type Answer,
} from '@waymark/testing/services';
import type { DataSource } from 'typeorm';
import { USERS_API } from '../src/service.js';

const BODY = { identifier: 'anna', properties: { plan: 'pro' } };

const expectTryAgain = (answer: Answer) => {
  expect([answer.status, answer.body]).toMatchObject([503, { code: 'service_unavailable_error' }]);
  expect(answer.headers.get('retry-after')).toBe('1');
};

describe('the users API over a database that gives no answer', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let proxy: FaultProxy;
  let service: RunningService;
  let key: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await database.connect();
    proxy = await startFaultProxy({ port: Number(new URL(database.url).port) });
    key = (
      await createKey(dataSource, { environment: 'development', kind: 'users' }, { by: 'test' })
    ).key;
    const settings = {
      ...IN_TIME,
      DATABASE_URL: proxy.through(database.url),
      DATABASE_POOL_SIZE: '2',
    };
    service = await startService((given) => bootstrap(USERS_API, given), settings);
  });

  afterAll(async () => {
    proxy.heal();
    await service.stop();
    await proxy.close();
    await database.drop();
  });

  const identify = () => call(service, 'POST /identify', { key, body: BODY });
  const isReady = async () => (await call(service, 'GET /health/ready')).status === 200;
  const untilWritten = () => until(async () => (await identify()).status === 204);

  const expectUnavailable = async () => {
    await until(async () => !(await isReady()));
    const [identified, ready, live] = await Promise.all([
      identify(),
      call(service, 'GET /health/ready'),
      call(service, 'GET /health/live'),
    ]);
    expectTryAgain(identified);
    expectTryAgain(ready);
    expect(live.status).toBe(200);
  };

  test('a black hole is answered with 503, live stays 200, ready is 503, and all recovers (R4)', async () => {
    await untilWritten();
    proxy.set({ kind: 'black-hole' });
    await expectUnavailable();
    await Promise.all(Array.from({ length: 20 }, async () => expectTryAgain(await identify())));
    proxy.heal();
    await until(isReady);
    await untilWritten();
  });

  test('a statement behind a lock is answered with 503, and what waits behind it too (R4)', async () => {
    const locker = dataSource.createQueryRunner();
    await locker.startTransaction();
    await locker.query('LOCK TABLE users, migrations IN ACCESS EXCLUSIVE MODE');
    await expectUnavailable();
    await Promise.all(Array.from({ length: 20 }, async () => expectTryAgain(await identify())));
    await locker.rollbackTransaction();
    await locker.release();
    await until(isReady);
    await untilWritten();
  });

  test('after a failover the connections to the old server, which takes no writes, are given up (R3)', async () => {
    const readOnly = (value: string) =>
      dataSource.query(
        `ALTER DATABASE "${database.name}" SET default_transaction_read_only = ${value}`,
      );
    await readOnly('on');
    await dataSource.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'users-api'",
    );
    await until(async () =>
      (await call(service, 'GET /health/ready')).text.includes('takes no writes'),
    );
    expectTryAgain(await identify());
    // Both connections of the pool are to the old server again, and nothing writes on them any
    // more.
    for (const ready of await Promise.all([isReady(), isReady(), isReady()]))
      expect(ready).toBe(false);
    // As where the address of the database leads to the new server: connections that are made from
    // now on can write.
    await readOnly('off');
    await until(isReady);
    await untilWritten();
  });

  test('a full disk is told as what it is, and ready follows until writes go on (R4)', async () => {
    await dataSource.query(`CREATE FUNCTION refuse_write() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = 'disk_full'; END $$`);
    await dataSource.query(
      'CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON users EXECUTE FUNCTION refuse_write()',
    );
    const refused = await identify();
    expectTryAgain(refused);
    expect(refused.text).toContain('the disk of the database is full');
    await until(async () => !(await isReady()));
    const ready = await call(service, 'GET /health/ready');
    expectTryAgain(ready);
    expect(ready.text).toContain('disk of the database is full');
    await dataSource.query('DROP FUNCTION refuse_write CASCADE');
    await until(isReady);
    await untilWritten();
  });

  test('a key that nobody knows yet is answered with 503 while the keys cannot be read', async () => {
    proxy.set({ kind: 'black-hole' });
    expectTryAgain(
      await call(service, 'POST /identify', { key: `users-${'A'.repeat(43)}`, body: BODY }),
    );
    proxy.heal();
    await until(isReady);
  });
});

describe('the users API while the password of its role is changed', () => {
  test('new connections are answered with 503, ready too, and all recovers once the password fits (R4)', async () => {
    const postgres = await startThrowawayPostgres({ durable: false });
    const dataSource = createDataSource({ ...SETTINGS, url: postgres.url });
    await dataSource.initialize();
    const { key } = await createKey(
      dataSource,
      { environment: 'development', kind: 'users' },
      { by: 'test' },
    );
    await dataSource.query("CREATE ROLE app LOGIN PASSWORD 'former'");
    await dataSource.query('GRANT ALL ON ALL TABLES IN SCHEMA public TO app');
    const url = Object.assign(new URL(postgres.url), { username: 'app', password: 'former' }).href;
    const service = await startService((given) => bootstrap(USERS_API, given), {
      ...IN_TIME,
      DATABASE_URL: url,
    });
    const identify = () => call(service, 'POST /identify', { key, body: BODY });
    const ready = () => call(service, 'GET /health/ready');
    await until(async () => (await identify()).status === 204);

    await dataSource.query("ALTER ROLE app PASSWORD 'other'");
    await dataSource.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'",
    );
    await until(async () => (await identify()).text.includes('refuses the role or the password'));
    expectTryAgain(await identify());
    await until(async () => (await ready()).status !== 200);
    expectTryAgain(await ready());
    expect((await call(service, 'GET /health/live')).status).toBe(200);

    await dataSource.query("ALTER ROLE app PASSWORD 'former'");
    await until(async () => (await identify()).status === 204);
    await until(async () => (await ready()).status === 200);
    await service.stop();
    await dataSource.destroy();
    await postgres.remove();
  });
});

describe('the users API over a database that restarts', () => {
  test('20 restarts under load leave the process, its pool and what was acknowledged as they were (R3)', async () => {
    const postgres = await startThrowawayPostgres({ durable: false });
    const dataSource = createDataSource({ ...SETTINGS, url: postgres.url });
    await dataSource.initialize();
    const { key } = await createKey(
      dataSource,
      { environment: 'development', kind: 'users' },
      { by: 'test' },
    );
    await dataSource.destroy();
    const service = await spawnService('users-api', {
      DATABASE_URL: postgres.url,
      DATABASE_POOL_SIZE: '4',
    });
    const statuses = new Set<number>();
    let acknowledged = -1;
    let running = true;

    const load = Array.from({ length: 8 }, async (_, worker) => {
      for (let count = 0; running; count++) {
        const answer = await call(service, 'POST /identify', {
          key,
          body: { identifier: `user-${worker}`, properties: { count } },
        });
        statuses.add(answer.status);
        if (answer.status === 503) expectTryAgain(answer);
        if (answer.status === 204 && worker === 0) acknowledged = count;
      }
    });
    for (let round = 0; round < 20; round++) {
      await postgres.restart('immediate');
      await until(
        async () => (await call(service, 'POST /identify', { key, body: BODY })).status === 204,
      );
    }
    running = false;
    await Promise.all(load);

    expect([...statuses].sort()).toEqual([204, 503]);
    expect(service.process.exitCode).toBe(null);
    const metrics = await call({ url: service.metricsUrl }, 'GET /metrics');
    const connections = Number(/waymark_database_connections\{.*\} (\d+)/.exec(metrics.text)?.[1]);
    expect(connections).toBeGreaterThan(0);
    expect(connections).toBeLessThanOrEqual(4);
    expect(metrics.text).toMatch(/waymark_database_waiting\{.*\} 0/);

    await dataSource.initialize();
    const [row] = await dataSource.query(
      "SELECT (properties->>'count')::int AS count FROM users WHERE identifier = 'user-0'",
    );
    expect(row.count).toBeGreaterThanOrEqual(acknowledged);
    await dataSource.destroy();
    await service.stop();
    await postgres.remove();
  });
});

const SETTINGS = {
  poolSize: 1,
  applicationName: 'test',
  statementTimeoutMs: 0,
  connectTimeoutMs: 0,
  answerTimeoutMs: 0,
};
