import type { EndpointFormat } from '../endpoints/endpoint.js';
import type { PublicEvent } from '../../events/reader/public-event.js';
import { signatureHeaders } from '../sending/signature.js';

/** What a request is made of. */
interface RequestInput {
  readonly url: string;
  readonly format: EndpointFormat;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly secrets: readonly string[];
}

interface EventRequest {
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Events that one request carries at most (E7). */
export const EVENTS_PER_REQUEST: Readonly<Record<EndpointFormat, number>> = {
  standard: 1,
  segment: 100,
};

/** What may be sent as an event: one that happened, or the test. */
type SentEvent =
  | PublicEvent
  | (Pick<PublicEvent, 'id' | 'timestamp' | 'environment'> & { readonly type: 'waymark.test' });

/**
 * One request for events, in the order they are given (E7); `nowMs` is the time of this attempt.
 */
export function eventRequest(
  addressee: RequestInput,
  events: readonly SentEvent[],
  nowMs: number,
): EventRequest {
  const { url, headers, format } = addressee;
  const given = headers.map(({ name, value }) => [name.toLowerCase(), value]);
  const { body, own } = FORMATS[format](addressee, events, Math.floor(nowMs / 1000));
  return {
    url: new URL(url),
    headers: {
      ...Object.fromEntries(given),
      'user-agent': 'waymark',
      'content-type': 'application/json',
      'content-length': `${Buffer.byteLength(body)}`,
      ...own,
    },
    body,
  };
}

type Written = { body: string; own: Record<string, string> };

const FORMATS: Record<
  EndpointFormat,
  (to: RequestInput, events: readonly SentEvent[], second: number) => Written
> = {
  standard: ({ secrets }, [event], timestamp) => {
    const body = JSON.stringify({ type: event!.type, timestamp: event!.timestamp, data: event });
    return { body, own: signatureHeaders({ id: event!.id, timestamp, body }, secrets) };
  },
  segment: (_, events) => ({ body: JSON.stringify({ batch: events.map(trackCall) }), own: {} }),
};

/** As Segment's HTTP API takes it; everything of the event is in the properties. */
function trackCall(event: SentEvent) {
  const { id, type, timestamp, ...rest } = event;
  const { user, group, ...properties } =
    'user' in rest ? rest : { ...rest, user: 'waymark-test', group: undefined };
  return {
    type: 'track',
    event: type,
    userId: user,
    messageId: id,
    timestamp,
    properties,
    context: { ...(group !== undefined && { groupId: group }), library: { name: 'waymark' } },
  };
}
