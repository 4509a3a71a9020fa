import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { call, until } from '@waymark/testing/services';
import { IdentifyFixture } from './identify-fixture.js';

describe('the users API with more requests than it may have under way', () => {
  let fixture: IdentifyFixture;

  beforeAll(async () => {
    fixture = await IdentifyFixture.open({ MAX_RUNNING_REQUESTS: '2', MAX_WAITING_REQUESTS: '1' });
  });
  afterAll(() => fixture.close());

  const identify = () =>
    fixture.post(
      '/identify',
      { identifier: 'anna' },
      { headers: { origin: 'https://a.example', 'x-request-id': 'mine' } },
    );

  test('one waits for its turn, one too many is told to come back, health is not, and what runs is finished (P12)', async () => {
    const locker = fixture.dataSource.createQueryRunner();
    await locker.startTransaction();
    await locker.query('LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
    const admitted = [identify(), identify()];
    await until(async () => (await metric('waymark_requests_running')) === 2);
    admitted.push(identify());
    await until(async () => (await metric('waymark_requests_waiting')) === 1);

    const refused = await identify();
    expect([refused.status, refused.body]).toEqual([
      503,
      {
        code: 'service_unavailable_error',
        details: 'too many requests are under way, please try again',
        requestId: 'mine',
      },
    ]);
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '1',
      'x-request-id': 'mine',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    });
    expect((await call(fixture.service, 'GET /health/live')).status).toBe(200);
    expect(await metric('waymark_shed_requests_total')).toBe(1);

    await locker.rollbackTransaction();
    await locker.release();
    expect((await Promise.all(admitted)).map(({ status }) => status)).toEqual([204, 204, 204]);
    expect((await identify()).status).toBe(204);
  });

  const metric = async (name: string): Promise<number> => {
    const { text } = await call({ url: fixture.service.metricsUrl }, 'GET /metrics');
    return Number(new RegExp(`^${name}\\{.*\\} (\\d+)$`, 'm').exec(text)?.[1]);
  };
});
