import { type IncomingMessage, ServerResponse } from 'node:http';
import { errorAnswer, rawErrorSender } from '@waymark/service-kit/errors';
import type { UpgradeRefusal } from './upgrade-check.js';

type Next = (error?: Error) => void;

const PLAIN_HTTP = errorAnswer(400, 'this path speaks WebSocket only: connect with socket.io and transports ["websocket"]', {
  connection: 'close',
});

/** Refuses before anything is spent on a socket; plain HTTP on this path gets the envelope as well (W2). */
export function upgradeMiddleware(refusalOf: (request: IncomingMessage) => UpgradeRefusal | null, origins: '*' | string[]) {
  const send = rawErrorSender(origins);
  return (request: IncomingMessage, response: ServerResponse | object, next: Next): void => {
    // Of an upgrade the response is engine.io's own. A header alone, as from a proxy that drops `Connection`, makes none.
    if (response instanceof ServerResponse) return void send(PLAIN_HTTP, response, request);
    const refusal = refusalOf(request);
    if (refusal) send(errorAnswer(refusal.status, refusal.details), request.socket, request);
    else next();
  };
}
