import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { corsHeaders } from '../headers/cors.js';
import { requestIdOf } from '../headers/request-trace.js';
import { securityHeaders } from '../headers/security-headers.js';
import { envelopeOf, type ErrorAnswer } from './answer.js';

/**
 * Writes an error to the response and returns its request id; or to the bare socket where Node made
 * none; `request` as far as it could be read.
 */
type SendRawError = (
  answer: ErrorAnswer,
  to: ServerResponse | Duplex,
  request?: Pick<IncomingMessage, 'headers'>,
) => string;

/** How long a client may take to close its side of a socket after the answer. */
const CUT_AFTER_MS = 1_000;

/**
 * For what Fastify never gets to see: answers with the envelope and the headers that every other
 * answer has (W2, W3, W6).
 */
export function rawErrorSender(origins: '*' | string[]): SendRawError {
  const security = securityHeaders();
  return (answer, to, request = { headers: {} }) => {
    const requestId = requestIdOf(request);
    const body = JSON.stringify(envelopeOf(answer, requestId));
    const headers = {
      ...security,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'x-request-id': requestId,
      ...corsHeaders(origins, request.headers.origin),
      ...answer.headers,
    };
    if (to instanceof ServerResponse) to.writeHead(answer.status, headers).end(body);
    else writeToSocket(to, answer.status, { ...headers, connection: 'close' }, body);
    return requestId;
  };
}

function writeToSocket(
  socket: Duplex,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  // Node has let go of the socket of an upgrade: without a listener the error of a client that is
  // gone already would end the process.
  socket.on('error', () => socket.destroy());
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
  // What still comes in has to be read, or closing resets the connection before the answer is read.
  socket.resume();
  setTimeout(() => socket.destroy(), CUT_AFTER_MS).unref();
}
