import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { custom, defineFlow } from '@waymark/testing/builders';
import { type Answer, atOnce, call, untilLimited } from '@waymark/testing/services';
import { BlocksService } from './blocks-service.js';

/** A read of it counts as 32 requests, though never as more than may be sent in a second. */
const story = { sid: 'story', type: 'string', value: 'x'.repeat(1_000_000) } as const;
const long = defineFlow({ flow: 'long', blocks: { one: custom({}, [story]) } });
let api: BlocksService;

beforeAll(async () => {
  api = await BlocksService.open({ REQUESTS_PER_ADDRESS: '10' });
  await api.fixture.commit(long);
  await api.fixture.identify('ada');
});
afterAll(() => api.close());

const read = (address: string) =>
  call(api.service, 'GET /v2/flow/long?userIdentifier=ada&version=1&include=block', {
    key: api.key,
    headers: { 'x-forwarded-for': address },
  });

test('whoever reads much may ask less, others as much as ever (R13, W2)', async () => {
  const answers: Answer[] = [];
  while (!answers.some(({ status }) => status === 429))
    answers.push(...(await atOnce(6, () => read('198.51.100.7'))));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  expect((await read('203.0.113.9')).status).toBe(200);
});

test('a public key has no budget that one address could empty for others (W2)', async () => {
  const ask = (address: string) =>
    call(api.service, 'GET /v2/flow/none?userIdentifier=ada&version=1', {
      key: api.key,
      headers: { 'x-forwarded-for': address },
    });
  await untilLimited(() => ask('198.51.100.8'));
  const others = await Promise.all(
    Array.from({ length: 20 }, (_, last) => ask(`203.0.113.${100 + last}`)),
  );
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([404]));
});
