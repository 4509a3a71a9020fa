import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { CODE_OF_STATUS } from '@waymark/service-kit/errors';
import { corsHeaders } from '@waymark/service-kit/requests';
import type { UpgradeRefusal } from './upgrade-check.js';

type Next = (error?: Error) => void;

const NOT_HTTP: UpgradeRefusal = {
  status: 400,
  details: 'this path speaks WebSocket only: connect with socket.io and transports ["websocket"]',
};

/** Refuses before anything is spent on a socket; plain HTTP on this path gets the envelope as well (W2). */
export const upgradeMiddleware =
  (refuse: (request: IncomingMessage) => UpgradeRefusal | null, origins: '*' | string[]) =>
  (request: IncomingMessage, response: ServerResponse, next: Next): void => {
    if (request.headers.upgrade === undefined) {
      const { headers, body } = answer(NOT_HTTP, request, origins);
      response.writeHead(NOT_HTTP.status, headers).end(body);
      return;
    }
    const refusal = refuse(request);
    if (refusal) request.socket.end(onTheWire(refusal, answer(refusal, request, origins)));
    else next();
  };

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

function answer({ status, details }: UpgradeRefusal, { headers }: IncomingMessage, origins: '*' | string[]) {
  const given = headers['x-request-id'];
  const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
  const code = CODE_OF_STATUS[status === 403 ? 401 : status];
  const body = JSON.stringify({ code, details, requestId });
  return {
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'x-request-id': requestId,
      ...(status >= 429 && { 'retry-after': '1' }),
      ...corsHeaders(origins, headers.origin),
      connection: 'close',
    },
  };
}

/** An upgrade has no response of Node's own. */
function onTheWire({ status }: UpgradeRefusal, { headers, body }: ReturnType<typeof answer>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}
