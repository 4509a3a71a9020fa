import { isReservedHeader } from '../../engine/definition/header-rules.js';
import { type Effect, fillBody, fillTokens, type TokenValues } from '../../engine/index.js';
import { signatureHeaders } from '../sending/signature.js';
import type { RequestTrace } from '../../states/state/flow-event-row.js';
import type { ClaimedEffect } from '../queue/claimed-effect.js';

export type Webhook = Extract<Effect, { kind: 'webhook' }>;

interface WebhookRequest {
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

/**
 * What is sent for a webhook: tokens replaced in headers and body, JSON-escaped (S19), and signed
 * (E9). A flow may have ids of its own.
 */
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
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': `${Buffer.byteLength(body)}`,
      }),
      ...Object.fromEntries(
        given.map(({ name, value }) => [
          name.toLowerCase(),
          fillTokens(value, tokens, escapeForHeader),
        ]),
      ),
      ...signatureHeaders(
        { id, timestamp: Math.floor(now.getTime() / 1000), body: body ?? '' },
        secrets,
      ),
    },
    body,
  };
}

const traceHeaders = ({ requestId, traceparent }: RequestTrace) => ({
  'x-request-id': requestId,
  ...(traceparent !== undefined && { traceparent }),
});

function tokensOf({ flow, flowName, version, user, createdAt }: ClaimedEffect): TokenValues {
  return {
    'flow.name': flowName,
    'flow.identifier': flow,
    'flow.version': `${version}`,
    'user.identifier': user,
    timestamp: createdAt.toISOString(),
  };
}

/** As inside a JSON string, and in ASCII, since a header carries nothing else safely. */
function escapeForHeader(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1);
  return escaped.replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
