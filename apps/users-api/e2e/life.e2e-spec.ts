import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKey } from '@waymark/domain/access';
import { createTestDatabase, type TestDatabase } from '@waymark/testing/postgres';
import {
  call,
  runServiceToEnd,
  type SpawnedService,
  spawnService,
  until,
} from '@waymark/testing/services';
import type { DataSource } from 'typeorm';

const BODY = { identifier: 'anna', properties: {} };

describe('the life of a users API process', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let key: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await database.connect();
    key = (
      await createKey(dataSource, { environment: 'development', kind: 'users' }, { by: 'test' })
    ).key;
  });

  afterAll(() => database.drop());

  const start = (settings: Record<string, string> = {}) =>
    spawnService('users-api', { DATABASE_URL: database.url, ...settings });

  test('SIGTERM turns ready to 503 while requests are still served, then the process exits 0', async () => {
    // Again where the process was gone before it was asked: nothing says how fast that is.
    await until(async () => {
      const service = await start({ SHUTDOWN_GRACE_MS: '1500' });
      service.process.kill('SIGTERM');
      const seen = await whileLeaving(service).catch(() => undefined);
      expect(await service.ended).toEqual({ code: 0, signal: null });
      if (seen) expect(seen).toEqual([204, 'close', 200]);
      return seen !== undefined;
    });
  });

  const whileLeaving = async (service: SpawnedService) => {
    await until(async () => (await call(service, 'GET /health/ready')).status === 503);
    const answer = await call(service, 'POST /identify', { key, body: BODY });
    return [
      answer.status,
      answer.headers.get('connection'),
      (await call(service, 'GET /health/live')).status,
    ];
  };

  test('a request that runs when the process is told to stop gets its answer', async () => {
    // Again where the lock was given up so late that what ran had been cut off.
    await until(async () => {
      const service = await start({ SHUTDOWN_GRACE_MS: '0' });
      const locker = dataSource.createQueryRunner();
      await locker.startTransaction();
      await locker.query('LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
      const answer = call(service, 'POST /identify', { key, body: BODY }).catch(() => undefined);
      await until(async () => (await waiting()) > 0);
      service.process.kill('SIGTERM');
      await until(
        async () => (await call(service, 'GET /health').catch(() => undefined)) === undefined,
      );
      await locker.rollbackTransaction();
      await locker.release();
      expect(await service.ended).toEqual({ code: 0, signal: null });
      return (await answer)?.status === 204;
    });
  });

  const waiting = async (): Promise<number> => {
    const [row] = await dataSource.query(
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return row.count;
  };

  test('an idle connection does not hold the process up', async () => {
    const service = await start({ SHUTDOWN_GRACE_MS: '0' });
    await call(service, 'GET /health');
    service.process.kill('SIGTERM');
    expect(await service.ended).toEqual({ code: 0, signal: null });
  });

  test('a process that cannot start says why in one sentence and exits 1', async () => {
    const empty = await createTestDatabase({ empty: true });
    const { code, output } = await runServiceToEnd('users-api', { DATABASE_URL: empty.url });
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(
        /^users-api: the database is behind by \d+ migration\(s\): run "waymark migrate up" first$/,
      ),
    ]);
    await empty.drop();
  });

  test('several replicas run beside each other on one machine, and the docs are off in production', async () => {
    const [one, other] = await Promise.all([start(), start({ NODE_ENV: 'production' })]);
    expect((await call(one, 'GET /docs/json')).status).toBe(200);
    expect((await call(other, 'GET /docs/json')).status).toBe(404);
    await Promise.all([one.stop(), other.stop()]);
  });

  test('the log of a busy process has no key, no body and no identifier in it', async () => {
    const service = await start({ LOG_LEVEL: 'trace' });
    const user = 'somebody-whom-no-log-may-know';
    await call(service, 'POST /identify', {
      key,
      body: { identifier: user, properties: { word: 'swordfish' } },
    });
    await call(service, `POST /identify/${user}?who=${user}`, { key, body: '{"word": swordfish}' });
    await call(service, 'POST /identify', { key: `${key}x`, body: { identifier: user } });
    await until(() =>
      Promise.resolve(
        service.lines.filter((line) => line.includes('"msg":"answered"')).length === 3,
      ),
    );
    await service.stop();
    const log = service.lines.join('\n');
    for (const secret of [key, user, 'swordfish']) expect(log).not.toContain(secret);
  });

  test('a handler that comes to its end after the deadline leaves no address in the log, its 503 is found by its id', async () => {
    const service = await start({ REQUEST_TIMEOUT_MS: '100' });
    const user = 'somebody-whom-no-log-may-know';
    const locker = (await database.connect()).createQueryRunner();
    await locker.startTransaction();
    await locker.query('LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
    const answer = await call(service, `POST /identify/${user}`, {
      key,
      body: {},
      headers: { 'x-request-id': 'late' },
    });
    expect(answer.status).toBe(503);
    await locker.commitTransaction();
    await locker.release();
    // Behind the one that was late, once it is there in time.
    await until(
      async () =>
        (await call(service, 'POST /identify', { key, body: { identifier: user } })).status === 204,
    );
    await service.stop();
    const log = service.lines.join('\n');
    expect(log).not.toContain(user);
    const told = service.lines.filter(
      (line) => line.includes('"requestId":"late"') && !line.includes('"msg":"answered"'),
    );
    expect(told).toHaveLength(1);
  });
});
