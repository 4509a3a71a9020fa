import { connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { readMetric } from '@waymark/testing/attacks';
import { type Answer, atOnce, call, rawExchange, until, untilLimited } from '@waymark/testing/services';
import { IdentifyStage } from './identify-stage.js';

describe('how often one may ask the users API', () => {
  let stage: IdentifyStage;
  afterEach(() => stage.close());

  const statuses = (answers: Answer[]) => new Set(answers.map(({ status }) => status));
  const stranger = (address: string, path = '/nothing') =>
    call(stage.service, `GET ${path}`, { headers: { 'x-forwarded-for': address } });
  /** Counts as fifteen requests: so many seconds until another may follow, where it is one a second. */
  const LONG = `/nothing?${'a'.repeat(15_000)}`;

  test('an address that asks without a key gets 429 and is told when to come back, others and backends do not (W2)', async () => {
    stage = await IdentifyStage.open({ REQUESTS_PER_ADDRESS: '1' });
    const answers = await untilLimited(() => stranger('198.51.100.7'));
    expect(statuses(answers)).toEqual(new Set([404, 429]));
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body).toMatchObject({ code: 'rate_limit_error' });
    expect(Object.fromEntries(refused.headers)).toMatchObject({ 'retry-after': '1', 'access-control-allow-origin': '*' });
    expect((await stranger('203.0.113.9')).status).toBe(404);
    const identify = () => stage.post('/identify', { identifier: 'ada' }, { headers: { 'x-forwarded-for': '198.51.100.7' } });
    expect(statuses(await atOnce(50, identify))).toEqual(new Set([204]));
    expect(statuses(await atOnce(50, () => call(stage.service, 'GET /health/ready')))).toEqual(new Set([200]));
    expect(await readMetric(stage.service, 'waymark_limited_requests_total')).toBeGreaterThan(0);
  });

  test('a secret key has a limit of its own (W2)', async () => {
    stage = await IdentifyStage.open({ REQUESTS_PER_SECRET_KEY: '1' });
    const identify = () => stage.post('/identify', { identifier: 'ada' });
    expect(statuses(await untilLimited(identify))).toEqual(new Set([204, 429]));
    expect((await stage.post('/identify', { identifier: 'ada' }, { key: stage.otherKey })).status).toBe(204);
  });

  test('a body in many pieces is refused before its end when these are more than the key may send (R13)', async () => {
    stage = await IdentifyStage.open({ REQUESTS_PER_SECRET_KEY: '1' });
    const head = `POST /identify HTTP/1.1\r\nx-api-key: ${stage.key}\r\ncontent-type: application/json\r\n`;
    const answer = await rawExchange(stage.url, `${head}transfer-encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(2_000)}`);
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([429, { code: 'rate_limit_error' }]);
  });

  test('a long target counts as much as many requests (R13)', async () => {
    stage = await IdentifyStage.open({ REQUESTS_PER_ADDRESS: '1' });
    let last = 0;
    // Two short ones would be answered, one after the other, from any address.
    await until(async () => {
      const address = `198.51.100.${++last}`;
      expect((await stranger(address, LONG)).status).toBe(404);
      return (await stranger(address)).status === 429;
    });
    expect((await stranger('203.0.113.9')).status).toBe(404);
  });

  test('an address has so many connections open, and a new one for each that it closes (R13)', async () => {
    stage = await IdentifyStage.open({ CONNECTIONS_PER_ADDRESS: '5', TRUSTED_PROXIES: 'none' });
    const { hostname, port } = new URL(stage.service.url);
    const taken = () => readMetric(stage.service, 'waymark_limited_requests_total');
    const sockets = Array.from({ length: 8 }, () => connect(Number(port), hostname).on('error', () => undefined));
    await until(async () => (await taken()) === 3);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await readMetric(stage.service, 'waymark_connections')) <= 2);
    expect((await call(stage.service, 'GET /health')).status).toBe(200);
  });

  test('an address that opens connections too fast waits for those beyond (R13)', async () => {
    stage = await IdentifyStage.open({ REQUESTS_PER_ADDRESS: '1', TRUSTED_PROXIES: 'none' });
    const { hostname, port } = new URL(stage.service.url);
    const sockets = Array.from({ length: 20 }, () => connect(Number(port), hostname).on('error', () => undefined));
    await until(async () => (await readMetric(stage.service, 'waymark_limited_requests_total')) > 0);
    for (const socket of sockets) socket.destroy();
  });

  test('whoever is no trusted proxy speaks for itself (W2)', async () => {
    stage = await IdentifyStage.open({ REQUESTS_PER_ADDRESS: '1', TRUSTED_PROXIES: 'none' });
    let last = 0;
    await until(async () => (await stranger(`198.51.100.${++last}`, LONG)).status === 429);
  });
});
