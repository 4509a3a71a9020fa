import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { envelopeOf, type ErrorAnswer } from './answer.js';

/**
 * Answers on the bare socket what Node could not read as a request: 400, 408, 413 and 431 with the envelope (W2).
 * `headers` are those that every answer has.
 */
export const answerClientErrors =
  (headers: Readonly<Record<string, string>>) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable || hasAnswered(socket)) {
      socket.destroy();
      return;
    }
    writeRefusal(answerOf(error.code), headers, socket);
  };

function writeRefusal(answer: ErrorAnswer, headers: Readonly<Record<string, string>>, socket: Socket): void {
  const requestId = randomUUID();
  const body = JSON.stringify(envelopeOf(answer, requestId));
  const head = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // What still comes in has to be read, or closing resets the connection before the answer is read.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

const LINGER_MS = 1_000;

/** Of a connection, the last request that was answered before its body had arrived. */
const answeredEarly = new WeakMap<Socket, IncomingMessage>();

/** Has to be told when an answer is out: a client that never ends its body must not get a second one. */
export function noteAnswered(request: IncomingMessage): void {
  if (!request.complete) answeredEarly.set(request.socket, request);
}

/** Node keeps the answer under way on the socket; a second one must not be written into it, nor after it. */
function hasAnswered(socket: Socket): boolean {
  const { _httpMessage: message } = socket as Socket & { _httpMessage?: { headersSent: boolean } | null };
  return message?.headersSent ?? answeredEarly.get(socket)?.complete === false;
}

function answerOf(code: string | undefined): ErrorAnswer {
  const headers = {};
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { status: 408, details: 'the request took too long to arrive', headers };
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { status: 431, details: 'the request line and headers are larger than 16 KiB together', headers };
  }
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return { status: 413, details: 'the chunk extensions are too large', headers };
  return { status: 400, details: 'this is not HTTP that can be read', headers };
}
