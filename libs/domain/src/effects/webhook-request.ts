import { type Effect, TOKEN_PATTERN, type WebhookToken } from '../engine/index.js';
import { isReservedHeader, signatureHeaders } from '../sending/index.js';
import type { RequestTrace } from '../flow-states/state/request-trace.js';
import type { ClaimedEffect } from './claimed-effect.js';

export type Webhook = Extract<Effect, { kind: 'webhook' }>;

export interface WebhookRequest {
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

/** What is sent for a webhook: tokens replaced in headers and body, JSON-escaped (S19), and signed (E9). A flow may have ids of its own. */
export function webhookRequest(claimed: ClaimedEffect<Webhook>): WebhookRequest {
  const { effect, id, now, secrets, trace } = claimed;
  const tokens = tokensOf(claimed);
  const body = effect.body === undefined ? undefined : fillBody(effect.body, tokens);
  const given = effect.headers.filter(({ name }) => !isReservedHeader(name));
  return {
    url: new URL(effect.url),
    headers: {
      'user-agent': 'waymark',
      ...(trace && traceHeaders(trace)),
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(body)}` }),
      ...Object.fromEntries(given.map(({ name, value }) => [name.toLowerCase(), fillHeader(value, tokens)])),
      ...signatureHeaders({ id, timestamp: Math.floor(now.getTime() / 1000), body: body ?? '' }, secrets),
    },
    body,
  };
}

const traceHeaders = ({ requestId, traceparent }: RequestTrace) => ({
  'x-request-id': requestId,
  ...(traceparent !== undefined && { traceparent }),
});

type Tokens = Record<WebhookToken, string>;

function tokensOf({ flow, flowName, version, user, createdAt }: ClaimedEffect): Tokens {
  return {
    'flow.name': flowName,
    'flow.identifier': flow,
    'flow.version': `${version}`,
    'user.identifier': user,
    timestamp: createdAt.toISOString(),
  };
}

/** Filled before it is written as JSON, which escapes what was filled in. */
function fillBody(body: NonNullable<Webhook['body']> | null, tokens: Tokens): string {
  return JSON.stringify(body, (_, value: unknown) => (typeof value === 'string' ? fill(value, tokens, (text) => text) : value));
}

const fillHeader = (value: string, tokens: Tokens): string => fill(value, tokens, escapeForHeader);

function fill(text: string, tokens: Tokens, escape: (text: string) => string): string {
  return text.replace(TOKEN_PATTERN, (whole, name: string) =>
    Object.hasOwn(tokens, name) ? escape(tokens[name as WebhookToken]) : whole,
  );
}

/** As inside a JSON string, and in ASCII, since a header carries nothing else safely. */
function escapeForHeader(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1);
  return escaped.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
