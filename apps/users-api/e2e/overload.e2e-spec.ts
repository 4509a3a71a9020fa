import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKey } from '@waymark/domain/environments';
import { bootstrap, type RunningService } from '@waymark/service-kit/bootstrap';
import { createTestDatabase, type TestDatabase } from '@waymark/testing/postgres';
import { call, startService, until } from '@waymark/testing/services';
import { USERS_API } from '../src/service.js';

describe('the users API with more requests than it may have under way', () => {
  let database: TestDatabase;
  let service: RunningService;
  let key: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    key = (await createKey(await database.connect(), { environment: 'development', kind: 'users' })).key;
    const settings = { DATABASE_URL: database.url, MAX_RUNNING_REQUESTS: '2', MAX_WAITING_REQUESTS: '1' };
    const patience = { REQUEST_TIMEOUT_MS: '60000', DATABASE_ANSWER_TIMEOUT_MS: '60000', STATEMENT_TIMEOUT_MS: '60000' };
    service = await startService((given) => bootstrap(USERS_API, given), {
      ...settings,
      ...patience,
      ADMISSION_WAIT_MS: '60000',
    });
  });

  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  const identify = () =>
    call(service, 'POST /identify', {
      key,
      body: { identifier: 'anna' },
      headers: { origin: 'https://a.example', 'x-request-id': 'mine' },
    });

  test('one waits for its turn, one too many is told to come back, health is not, and what runs is finished (P12)', async () => {
    const locker = (await database.connect()).createQueryRunner();
    await locker.startTransaction();
    await locker.query('LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
    const admitted = [identify(), identify()];
    await until(async () => (await metric('waymark_requests_running')) === 2);
    admitted.push(identify());
    await until(async () => (await metric('waymark_requests_waiting')) === 1);

    const refused = await identify();
    expect([refused.status, refused.body]).toEqual([
      503,
      { code: 'service_unavailable_error', details: 'too many requests are under way, please try again', requestId: 'mine' },
    ]);
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '1',
      'x-request-id': 'mine',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    });
    expect((await call(service, 'GET /health/live')).status).toBe(200);
    expect(await metric('waymark_shed_requests_total')).toBe(1);

    await locker.rollbackTransaction();
    await locker.release();
    expect((await Promise.all(admitted)).map(({ status }) => status)).toEqual([204, 204, 204]);
    expect((await identify()).status).toBe(204);
  });

  const metric = async (name: string): Promise<number> => {
    const { text } = await call({ url: service.metricsUrl }, 'GET /metrics');
    return Number(new RegExp(`^${name}\\{.*\\} (\\d+)$`, 'm').exec(text)?.[1]);
  };
});
