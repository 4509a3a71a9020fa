import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { card, defineFlow, trigger, webhook } from '@waymark/testing/builders';
import { Receiver } from '@waymark/testing/services';
import { BlocksService } from './blocks-service.js';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

let blocks: BlocksService;
let receiver: Receiver;
beforeAll(async () => {
  blocks = await BlocksService.open({ WEBHOOK_PRIVATE_ADDRESSES: 'on' });
  receiver = await Receiver.open();
  const hook = (next: string, headers = {}) => webhook(next, { url: receiver.url, headers });
  await blocks.fixture.commit(
    defineFlow({ flow: 'second', blocks: { told: hook('after'), after: card() } }),
  );
  await blocks.fixture.commit(
    defineFlow({
      flow: 'first',
      blocks: {
        hello: card({ complete: 'call' }),
        call: trigger('second', 'start', 'bye'),
        bye: card(),
      },
    }),
  );
  const own = { 'X-Request-Id': 'own of the flow' };
  await blocks.fixture.commit(
    defineFlow({ flow: 'own', blocks: { mine: hook('end', own), end: card() } }),
  );
  await blocks.fixture.identifyAll(['ada', 'bob', 'cid', 'dan'], () => ({}));
});
afterAll(async () => {
  receiver.close();
  await blocks.close();
});

const idsOf = (from: number) =>
  receiver.received
    .slice(from)
    .map(({ headers }) => [headers['x-request-id'], headers['traceparent']]);
const read = (flow: string, user: string, headers: Record<string, string>) =>
  blocks.get(`/v2/flow/${flow}?userIdentifier=${user}&version=1`, { headers });

test('a webhook carries the id and the traceparent of the request that caused it, through triggers too (S19)', async () => {
  await read('first', 'ada', { 'x-request-id': 'reads' });
  const path = '/v2/block/first.hello/transition?userIdentifier=ada&version=1&transitions=complete';
  await blocks.post(path, { headers: { 'x-request-id': 'moves', traceparent: TRACEPARENT } });
  await receiver.until((all) => all.length === 1);
  expect(idsOf(0)).toEqual([['moves', TRACEPARENT]]);
});

test('a request without them gets an id of its own, and a traceparent that is none goes no further (W3, S19)', async () => {
  const from = receiver.received.length;
  const { headers } = await read('second', 'bob', {
    traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
  });
  await receiver.until((all) => all.length === from + 1);
  expect(idsOf(from)).toEqual([[headers.get('x-request-id'), undefined]]);
});

test('reads of several flows at once pass them on, and a flow may write its own (S19)', async () => {
  const from = receiver.received.length;
  await blocks.get('/v2/flows?flow=second@1&userIdentifier=cid', {
    headers: { 'x-request-id': 'list' },
  });
  await receiver.until((all) => all.length === from + 1);
  await read('own', 'dan', { 'x-request-id': 'ours' });
  await receiver.until((all) => all.length === from + 2);
  expect(idsOf(from).map(([id]) => id)).toEqual(['list', 'own of the flow']);
});
