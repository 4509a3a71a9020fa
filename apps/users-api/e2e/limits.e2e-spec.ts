import { connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { readMetric } from '@waymark/testing/attacks';
import {
  type Answer,
  atOnce,
  call,
  rawExchange,
  until,
  untilLimited,
} from '@waymark/testing/services';
import { IdentifyFixture } from './identify-fixture.js';

describe('how often one may ask the users API', () => {
  let fixture: IdentifyFixture;
  afterEach(() => fixture.close());

  const statuses = (answers: Answer[]) => new Set(answers.map(({ status }) => status));
  const stranger = (address: string, path = '/nothing') =>
    call(fixture.service, `GET ${path}`, { headers: { 'x-forwarded-for': address } });
  /** Counts as fifteen requests. */
  const LONG = `/nothing?${'a'.repeat(15_000)}`;

  test('an address that asks without a key gets 429 and is told when to come back, others and backends do not (W2)', async () => {
    fixture = await IdentifyFixture.open({ REQUESTS_PER_ADDRESS: '1' });
    const answers = await untilLimited(() => stranger('198.51.100.7'));
    expect(statuses(answers)).toEqual(new Set([404, 429]));
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body).toMatchObject({ code: 'rate_limit_error' });
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '1',
      'access-control-allow-origin': '*',
    });
    expect((await stranger('203.0.113.9')).status).toBe(404);
    const identify = () =>
      fixture.post(
        '/identify',
        { identifier: 'ada' },
        { headers: { 'x-forwarded-for': '198.51.100.7' } },
      );
    expect(statuses(await atOnce(50, identify))).toEqual(new Set([204]));
    expect(statuses(await atOnce(50, () => call(fixture.service, 'GET /health/ready')))).toEqual(
      new Set([200]),
    );
    expect(await readMetric(fixture.service, 'waymark_limited_requests_total')).toBeGreaterThan(0);
  });

  test('a secret key has a limit of its own (W2)', async () => {
    fixture = await IdentifyFixture.open({ REQUESTS_PER_SECRET_KEY: '1' });
    const identify = () => fixture.post('/identify', { identifier: 'ada' });
    expect(statuses(await untilLimited(identify))).toEqual(new Set([204, 429]));
    expect(
      (await fixture.post('/identify', { identifier: 'ada' }, { key: fixture.otherKey })).status,
    ).toBe(204);
  });

  test.each([10_000_000_000, Number.MAX_SAFE_INTEGER])(
    'a request that is refused costs one request, though it announces %i bytes (W2)',
    async (length) => {
      fixture = await IdentifyFixture.open({ REQUESTS_PER_SECRET_KEY: '1000' });
      const head = `POST /identify HTTP/1.1\r\nhost: x\r\nx-api-key: ${fixture.key}\r\ncontent-type: application/json\r\n`;
      const announce = () => rawExchange(fixture.url, `${head}content-length: ${length}\r\n\r\n`);
      const refused = await Promise.all([announce(), announce(), announce()]);
      expect(refused.map(({ status }) => status)).toEqual([413, 413, 413]);
      expect((await fixture.post('/identify', { identifier: 'ada' })).status).toBe(204);
    },
  );

  test('a body is refused before its end when it is more than the address may send (R13)', async () => {
    fixture = await IdentifyFixture.open({ REQUESTS_PER_SECRET_KEY: '20' });
    const body = JSON.stringify({ identifier: 'ada', properties: { a: 'x'.repeat(900_000) } });
    const post = () =>
      call(fixture.service, 'POST /identify', { key: fixture.key, body: JSON.parse(body) });
    expect(statuses(await untilLimited(post))).toEqual(new Set([204, 429]));
  });

  test('a long target counts as much as many requests (R13)', async () => {
    fixture = await IdentifyFixture.open({ REQUESTS_PER_ADDRESS: '20' });
    let last = 0;
    // Thirty short ones would be answered at once, from any address.
    await until(async () => {
      const address = `198.51.100.${++last}`;
      expect((await stranger(address, LONG)).status).toBe(404);
      expect((await stranger(address, LONG)).status).toBe(404);
      const more = await atOnce(20, () => stranger(address));
      return more.some(({ status }) => status === 429);
    });
    expect((await stranger('203.0.113.9')).status).toBe(404);
  });

  test('the addresses of one network of IPv6 share a budget beside their own (W2)', async () => {
    fixture = await IdentifyFixture.open({ REQUESTS_PER_ADDRESS: '1' });
    let subnet = 0;
    const next = () => stranger(`2001:db8:7:${(++subnet % 60_000).toString(16)}::1`);
    const answers = await untilLimited(next);
    expect(statuses(answers)).toEqual(new Set([404, 429]));
    expect(answers.length).toBeGreaterThan(16);
    expect((await stranger('2001:db8:8::1')).status).toBe(404);
  });

  test('an address has so many connections open, and a new one for each that it closes (R13)', async () => {
    fixture = await IdentifyFixture.open({ CONNECTIONS_PER_ADDRESS: '5', TRUSTED_PROXIES: 'none' });
    const { hostname, port } = new URL(fixture.service.url);
    const taken = () => readMetric(fixture.service, 'waymark_limited_requests_total');
    const sockets = Array.from({ length: 8 }, () =>
      connect(Number(port), hostname).on('error', () => undefined),
    );
    await until(async () => (await taken()) === 3);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await readMetric(fixture.service, 'waymark_connections')) <= 2);
    expect((await call(fixture.service, 'GET /health')).status).toBe(200);
  });

  test('an address that opens connections too fast waits for those beyond (R13)', async () => {
    fixture = await IdentifyFixture.open({ REQUESTS_PER_ADDRESS: '1', TRUSTED_PROXIES: 'none' });
    const { hostname, port } = new URL(fixture.service.url);
    const sockets = Array.from({ length: 20 }, () =>
      connect(Number(port), hostname).on('error', () => undefined),
    );
    await until(
      async () => (await readMetric(fixture.service, 'waymark_limited_requests_total')) > 0,
    );
    for (const socket of sockets) socket.destroy();
  });

  test('whoever is no trusted proxy speaks for itself (W2)', async () => {
    fixture = await IdentifyFixture.open({ REQUESTS_PER_ADDRESS: '1', TRUSTED_PROXIES: 'none' });
    let last = 0;
    await until(async () => (await stranger(`198.51.100.${++last % 250}`)).status === 429);
  });
});
