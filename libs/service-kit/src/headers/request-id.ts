import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const ECHOED = /^[\x21-\x7e]{1,128}$/;

/** The client's `x-request-id` when it is 1 to 128 visible ASCII characters, otherwise a new one (W3). */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && ECHOED.test(given) ? given : randomUUID();
}
