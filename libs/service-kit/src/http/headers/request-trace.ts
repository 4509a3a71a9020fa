import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';

/**
 * Version, trace, parent and flags of W3C Trace Context; nothing of it may be all zeros, and no
 * version is `ff`.
 */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/**
 * By what a request is found again elsewhere: its id, and its `traceparent` where that is one
 * (S19).
 */
export function traceOf({ id, headers }: Pick<FastifyRequest, 'id' | 'headers'>): {
  requestId: string;
  traceparent?: string;
} {
  const { traceparent } = headers;
  return {
    requestId: id,
    ...(typeof traceparent === 'string' && TRACEPARENT.test(traceparent) && { traceparent }),
  };
}

const ECHOED = /^[\x21-\x7e]{1,128}$/;

/**
 * The client's `x-request-id` when it is 1 to 128 visible ASCII characters, otherwise a new one
 * (W3).
 */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && ECHOED.test(given) ? given : randomUUID();
}
