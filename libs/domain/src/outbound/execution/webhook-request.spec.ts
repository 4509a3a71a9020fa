import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { eventRequest } from '../delivery/event-request.js';
import { makeWebhookSecret } from '../../access/environment/webhook-secret.js';
import type { ClaimedEffect } from '../queue/claimed-effect.js';
import { type Webhook, webhookRequest } from './webhook-request.js';

/** Of any request with a body. */
const PLAIN = ['user-agent', 'content-type', 'content-length'];
const URL_OF = 'https://hooks.acme.test/';
const secrets = [makeWebhookSecret()];

test('docs/events.md tells receivers of every header that is ours (E7, E9)', () => {
  const webhook = webhookRequest({
    ...{
      id: 'e1',
      flow: 'f',
      flowName: 'F',
      version: 1,
      user: 'ada',
      createdAt: new Date(0),
      now: new Date(0),
      secrets,
    },
    effect: { kind: 'webhook', block: 'b', url: URL_OF, headers: [], body: {} },
    trace: { requestId: 'r', traceparent: 't' },
  } as unknown as ClaimedEffect<Webhook>);
  const event = {
    id: 'e1',
    type: 'waymark.test',
    timestamp: '',
    environment: 'development',
  } as const;
  const delivery = eventRequest(
    { url: URL_OF, format: 'standard', headers: [], secrets },
    [event],
    0,
  );
  const sent = new Set([webhook, delivery].flatMap(({ headers }) => Object.keys(headers)));
  const docs = readFileSync('docs/events.md', 'utf8');
  expect(sent).toContain('webhook-signature');
  expect(
    [...sent].filter((name) => !PLAIN.includes(name) && !docs.includes(`\`${name}\``)),
  ).toEqual([]);
});
