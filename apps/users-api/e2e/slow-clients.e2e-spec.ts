import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { call, rawExchange, until } from '@waymark/testing/services';
import { IdentifyFixture } from './identify-fixture.js';

describe('clients that never come to an end', () => {
  let fixture: IdentifyFixture;

  beforeAll(async () => {
    fixture = await IdentifyFixture.open({ RECEIVE_TIMEOUT_MS: '300' });
  });
  afterAll(() => fixture.close());

  test('half a head gets 408 with the envelope (W2)', async () => {
    const answer = await rawExchange(fixture.url, 'GET /health HTTP/1.1\r\nx-slow: ');
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
      408,
      { code: 'invalid_request_error' },
    ]);
  });

  test('half a body gets 408 with the envelope (W2)', async () => {
    const head = `POST /identify HTTP/1.1\r\nx-api-key: ${fixture.key}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n`;
    const answer = await rawExchange(fixture.url, head, '{"identifier":');
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
      408,
      { code: 'invalid_request_error' },
    ]);
  });

  test('a refused body that never ends gets its one answer, and the connection is closed', async () => {
    const head =
      'POST /identify HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n';
    let answer = { status: 408, body: '' };
    // Again where even the head was not read in time.
    await until(
      async () => (answer = await rawExchange(fixture.url, head, '{"identifier":')).status !== 408,
    );
    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'unauthorized_error' });
  });
});

describe('clients that come to an end, but not as they should', () => {
  let fixture: IdentifyFixture;

  beforeAll(async () => {
    fixture = await IdentifyFixture.open({ CORS_ORIGINS: 'https://app.example.com' });
  });
  afterAll(() => fixture.close());

  test('a body that is sent byte by byte is refused, small as it is (R13)', async () => {
    const head = `POST /identify HTTP/1.1\r\nconnection: close\r\nx-api-key: ${fixture.key}\r\ncontent-type: application/json\r\n`;
    const crumbs = (count: number) =>
      `transfer-encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(count)}2\r\n{}\r\n0\r\n\r\n`;
    const answer = await rawExchange(fixture.url, head, crumbs(5_000));
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
      413,
      { code: 'payload_too_large_error' },
    ]);
    expect(answer.body).toContain('more than 5000 pieces');
    expect((await rawExchange(fixture.url, head, crumbs(500))).status).toBe(400);
  });

  test('only listed origins may read answers (W6)', async () => {
    const allowedTo = async (origin: string) => {
      const { headers } = await call(fixture.service, 'GET /health', { headers: { origin } });
      return [headers.get('access-control-allow-origin'), headers.get('vary')];
    };
    expect(await allowedTo('https://app.example.com')).toEqual([
      'https://app.example.com',
      'Origin',
    ]);
    expect(await allowedTo('https://evil.example.com')).toEqual([null, 'Origin']);
  });
});
