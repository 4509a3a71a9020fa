import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKey } from '@waymark/domain/environments';
import { bootstrap, type RunningService } from '@waymark/service-kit/bootstrap';
import { createTestDatabase, type TestDatabase } from '@waymark/testing/postgres';
import { call, rawExchange, startService } from '@waymark/testing/services';
import { USERS_API } from '../src/service.js';

describe('clients that never come to an end, and origins that may not read', () => {
  let database: TestDatabase;
  let service: RunningService;
  let key: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    key = (await createKey(await database.connect(), { environment: 'development', kind: 'users' })).key;
    const settings = { DATABASE_URL: database.url, RECEIVE_TIMEOUT_MS: '300', CORS_ORIGINS: 'https://app.example.com' };
    service = await startService((given) => bootstrap(USERS_API, given), settings);
  });

  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  test('half a head gets 408 with the envelope (W2)', async () => {
    const answer = await rawExchange(service.url, 'GET /health HTTP/1.1\r\nx-slow: ');
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([408, { code: 'invalid_request_error' }]);
  });

  test('half a body gets 408 with the envelope (W2)', async () => {
    const head = `POST /identify HTTP/1.1\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n`;
    const answer = await rawExchange(service.url, head, '{"identifier":');
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([408, { code: 'invalid_request_error' }]);
  });

  test('a refused body that never ends gets its one answer, and the connection is closed', async () => {
    const head = 'POST /identify HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n';
    const answer = await rawExchange(service.url, head, '{"identifier":');
    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'unauthorized_error' });
  });

  test('only listed origins may read answers (W6)', async () => {
    const allowedTo = async (origin: string) => {
      const { headers } = await call(service, 'GET /health', { headers: { origin } });
      return [headers.get('access-control-allow-origin'), headers.get('vary')];
    };
    expect(await allowedTo('https://app.example.com')).toEqual(['https://app.example.com', 'Origin']);
    expect(await allowedTo('https://evil.example.com')).toEqual([null, 'Origin']);
  });
});
