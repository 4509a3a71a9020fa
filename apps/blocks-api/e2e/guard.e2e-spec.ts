import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKey, revokeKey } from '@waymark/domain/environments';
import { bootstrap, type RunningService } from '@waymark/service-kit/bootstrap';
import { createTestDatabase, type TestDatabase } from '@waymark/testing/postgres';
import { call, createRefusedKeys, expectDocumented, guardedRequests, startService, until } from '@waymark/testing/services';
import type { DataSource } from 'typeorm';
import { BLOCKS_API } from '../src/service.js';

describe('the key guard of the blocks API', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let service: RunningService;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await database.connect();
    service = await startService((settings) => bootstrap(BLOCKS_API, settings), { DATABASE_URL: database.url });
  });

  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  test('only health and docs are open to anybody (W1)', () => {
    const open = service.routes.filter(({ access }) => access === 'public').map(({ method, url }) => `${method} ${url}`);
    expect(new Set(open.filter((route) => !route.startsWith('HEAD ')))).toEqual(
      new Set(['GET /docs', 'GET /docs/json', 'GET /health', 'GET /health/live', 'GET /health/ready']),
    );
  });

  test('every other route refuses a missing, unknown, revoked, expired or wrong-kind key alike (W1)', async () => {
    const requests = guardedRequests(service.routes);
    expect(requests).toContain('GET /v2/flow/x');
    const keys = await createRefusedKeys(dataSource, 'blocks');
    const answers = new Set<string>();
    for (const request of requests) {
      for (const key of Object.values(keys)) {
        const answer = await call(service, request, { key, headers: { 'x-request-id': 'same' } });
        answers.add(`${answer.status} ${answer.text}`);
        await expectDocumented(answer);
      }
    }
    expect([...answers]).toEqual([
      '401 {"code":"unauthorized_error","details":"the x-api-key header has to carry a valid blocks key, one that begins with \\"blocks-\\"","requestId":"same"}',
      // HEAD
      '401 ',
    ]);
  });

  test('every other route lets a good key pass, also one that is younger than the process (W1)', async () => {
    const { key } = await createKey(dataSource, { environment: 'development', kind: 'blocks' });
    for (const request of guardedRequests(service.routes)) {
      const answer = await call(service, request, { key });
      expect([request, answer.status]).not.toEqual([request, 401]);
    }
  });

  test('a key that is revoked while the service runs is soon refused (W1)', async () => {
    const { id, key } = await createKey(dataSource, { environment: 'development', kind: 'blocks' });
    const isRefused = async () => (await call(service, 'GET /v2/flow/x', { key })).status === 401;
    expect(await isRefused()).toBe(false);
    await revokeKey(dataSource, id);
    await until(isRefused);
  });

  test('a key that expires while the service runs is refused from then on (W1)', async () => {
    const { key } = await createKey(dataSource, { environment: 'development', kind: 'blocks', expiresInMs: 2_000 });
    const isRefused = async () => (await call(service, 'GET /v2/flow/x', { key })).status === 401;
    expect(await isRefused()).toBe(false);
    await until(isRefused);
  });
});
