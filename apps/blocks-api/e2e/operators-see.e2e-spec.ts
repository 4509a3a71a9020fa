import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createKey, listKeys } from '@waymark/domain/access';
import { createTestDatabase, type TestDatabase } from '@waymark/testing/postgres';
import { call, type SpawnedService, spawnService, until } from '@waymark/testing/services';
import type { DataSource } from 'typeorm';

let database: TestDatabase;
let dataSource: DataSource;
let service: SpawnedService;
let key: string;

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await database.connect();
  ({ key } = await createKey(
    dataSource,
    { environment: 'development', kind: 'blocks' },
    { by: 'test' },
  ));
  service = await spawnService('blocks-api', { DATABASE_URL: database.url });
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

/** The answer may be read before the line is. */
async function lineWith(text: string): Promise<{ reason?: string }> {
  await until(() => service.lines.some((line) => line.includes(text)));
  return JSON.parse(service.lines.find((line) => line.includes(text))!) as { reason?: string };
}

test('a refused request is found in the log by its id, without whom it was about', async () => {
  const refused = [
    [
      'GET /v2/flow/tour?userIdentifier=ada@acme.test&version=latest',
      404,
      'GET',
      '/v2/flow/:sid',
      'flow.unknown',
    ],
    [
      'GET /v2/flow/tour?userIdentifier=ada@acme.test',
      400,
      'GET',
      '/v2/flow/:sid',
      'request.invalid',
    ],
    ['POST /v2/flow/tour/leap?userIdentifier=ada@acme.test', 404, 'POST', 'unknown', undefined],
  ] as const;
  for (const [request, status, method, route, reason] of refused) {
    const answer = await call(service, request, { key });
    expect(answer.status).toBe(status);
    const { requestId, code } = answer.body as { requestId: string; code: string };
    const line = await lineWith(requestId);
    expect(line).toMatchObject({
      level: 30,
      msg: 'refused',
      requestId,
      method,
      route,
      status,
      code,
    });
    expect(line.reason).toBe(reason);
  }
  const stranger = await call(service, refused[0][0], { key: 'blocks-nobody' });
  expect(stranger.status).toBe(401);
  expect(await lineWith('"status":401')).toMatchObject({ reason: 'key.refused' });
  // As a word: the id of a request may have these letters anywhere.
  expect(service.lines.join('\n')).not.toMatch(/\bada\b|blocks-nobody/);
});

test('what waits is among the metrics (S19)', async () => {
  const { text } = await call({ url: service.metricsUrl }, 'GET /metrics');
  expect(text).toMatch(
    /waymark_effects_waiting\{environment="development",kind="webhook",service="blocks-api"\} 0/,
  );
  expect(text).toMatch(
    /waymark_effects_oldest_seconds\{environment="development",kind="flow-trigger",service="blocks-api"\} 0/,
  );
});

test('when a key was last used is known at the latest when its service ends', async () => {
  await service.stop();
  const [used] = await listKeys(dataSource, 'development');
  expect(used?.lastUsedAt).toBeInstanceOf(Date);
});
