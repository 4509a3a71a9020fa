import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import {
  ELSEWHERE,
  goodputDuring,
  LEAST_GOODPUT,
  ATTACKED_SETTINGS,
  untilAtRest,
} from '@waymark/testing/attacks';
import { call, until } from '@waymark/testing/services';
import { BlocksService } from './blocks-service.js';
import { Identity } from './identity.js';

let blocks: BlocksService;
let identity: Identity;
beforeAll(async () => {
  blocks = await BlocksService.open(ATTACKED_SETTINGS);
  await blocks.fixture.commit(defineFlow({ flow: 'tour', blocks: { hello: card() } }));
  await blocks.fixture.identify('ada');
  identity = await Identity.open(blocks.fixture.dataSource);
  await identity.verify('required');
  await until(async () => (await read(identity.publicKey)).status === 401);
});
afterAll(() => blocks.close());

const read = (key: string) =>
  call(blocks.service, 'GET /v2/flow/tour?userIdentifier=ada&version=1', {
    key,
    headers: ELSEWHERE,
  });

test('a flood of tokens that nobody signed keeps no honest page from its answers (R13, V8)', async () => {
  const target = { url: blocks.service.url, key: identity.page('bob') };
  const ask = async (): Promise<boolean> => (await read(identity.page('ada'))).status === 200;
  expect(await goodputDuring('wrong-token-flood', target, ask)).toBeGreaterThanOrEqual(
    LEAST_GOODPUT,
  );
  const { text } = await call({ url: blocks.service.metricsUrl }, 'GET /metrics');
  expect(text).toMatch(/waymark_user_tokens_total\{.*outcome="invalid".*\} [1-9]/);
  await untilAtRest(blocks.service);
});
