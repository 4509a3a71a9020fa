import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { custom, defineFlow } from '@waymark/testing/builders';
import { call, untilLimited } from '@waymark/testing/services';
import { BlocksService } from './blocks-service.js';

/** A read of it counts as 128 requests: two minutes until another may follow, where it is one a second. */
const story = { sid: 'story', type: 'string', value: 'x'.repeat(1_000_000) } as const;
const blocks = Object.fromEntries(['one', 'two', 'three', 'four'].map((block) => [block, custom({}, [story])]));
let api: BlocksService;

beforeAll(async () => {
  api = await BlocksService.open({ REQUESTS_PER_ADDRESS: '1' });
  await api.stage.commit(defineFlow({ flow: 'long', start: 'one', blocks }));
  await api.stage.identify('ada');
});
afterAll(() => api.close());

const read = (address: string) =>
  call(api.service, 'GET /v2/flow/long?userIdentifier=ada&version=1&include=block', {
    key: api.key,
    headers: { 'x-forwarded-for': address },
  });

test('whoever reads much may ask less, others as much as ever (R13, W2)', async () => {
  expect((await read('198.51.100.7')).status).toBe(200);
  expect(await read('198.51.100.7')).toMatchObject({ status: 429, body: { code: 'rate_limit_error' } });
  expect((await read('203.0.113.9')).status).toBe(200);
});

test('a public key is counted over all addresses (W2)', async () => {
  const other = await BlocksService.open({ REQUESTS_PER_PUBLIC_KEY: '1' });
  let last = 0;
  const ask = () =>
    call(other.service, 'GET /v2/flow/none?userIdentifier=ada&version=1', {
      key: other.key,
      headers: { 'x-forwarded-for': `198.51.100.${last++ % 250}` },
    });
  const answers = await untilLimited(ask);
  await other.close();
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 429]));
});
