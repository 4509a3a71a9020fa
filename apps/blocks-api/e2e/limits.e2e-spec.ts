import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { largeFlow } from '@waymark/testing/sample-flows';
import { call } from '@waymark/testing/services';
import { BlocksService } from './blocks-service.js';

/** So many units wait for an address; a read of the flow takes eleven. */
const AT_ONCE = 120;
let api: BlocksService;

beforeAll(async () => {
  api = await BlocksService.open({ REQUESTS_PER_ADDRESS: String(AT_ONCE / 2) });
  await api.stage.commit(largeFlow(1_000, 'large'));
  await api.stage.identify('ada');
});
afterAll(() => api.close());

const read = (address: string) =>
  call(api.service, 'GET /v2/flow/large?userIdentifier=ada&version=1&include=block', {
    key: api.key,
    headers: { 'x-forwarded-for': address },
  });

test('whoever reads much may ask less, others as much as ever (R13, W2)', async () => {
  const reads = await Promise.all(Array.from({ length: AT_ONCE - 20 }, () => read('198.51.100.7')));
  expect(reads.map(({ status }) => status)).toContain(200);
  expect(await read('198.51.100.7')).toMatchObject({ status: 429, body: { code: 'rate_limit_error' } });
  expect((await read('203.0.113.9')).status).toBe(200);
});

test('a public key is counted over all addresses (W2)', async () => {
  const other = await BlocksService.open({ REQUESTS_PER_PUBLIC_KEY: '5' });
  const ask = (nth: number) =>
    call(other.service, 'GET /v2/flow/none?userIdentifier=ada&version=1', {
      key: other.key,
      headers: { 'x-forwarded-for': `198.51.100.${nth}` },
    });
  const statuses = (await Promise.all(Array.from({ length: 50 }, (_, nth) => ask(nth)))).map(({ status }) => status);
  await other.close();
  expect(new Set(statuses)).toEqual(new Set([404, 429]));
});
