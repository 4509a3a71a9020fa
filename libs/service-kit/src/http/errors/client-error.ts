import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { wasAnsweredEarly } from '../../limits/index.js';
import { errorAnswer, type ErrorAnswer } from './answer.js';
import { rawErrorSender } from './send-raw-error.js';

/** Node's error about a request that it could not read; `reason` is in the words of its parser. */
type ClientError = Error & { code?: string; reason?: string };

/**
 * Headers that a request may have: reading 16,000 of them, which 16 KiB have room for, takes as
 * long as 20 requests.
 */
export const MOST_HEADERS = 200;
/**
 * Node 20 drops headers beyond so many, so that they have to be counted; later ones refuse them as
 * they do a head too long.
 */
export const HEAD_TOO_LARGE = errorAnswer(
  431,
  `a request has at most ${MOST_HEADERS} headers, and 16 KiB together with its first line`,
);

/**
 * Answers on the bare socket what Node could not read as a request: 400, 408, 413 and 431 with the
 * envelope (W2), and in its turn: requests that came in whole before it on the connection are
 * answered first.
 */
export function answerClientErrors(
  origins: '*' | string[],
): (error: ClientError, socket: Socket) => void {
  const send = rawErrorSender(origins);
  const sendInTurn = (error: ClientError, socket: Socket): void => {
    const before = underWay(socket);
    if (before?.req.complete) {
      socket.pause();
      before.once('close', () => sendInTurn(error, socket));
    } else if (socket.writable) send(answerOf(error), socket);
  };
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || hasAnswered(socket)) socket.destroy();
    else sendInTurn(error, socket);
  };
}

/** Node keeps the answer under way on the socket. */
const underWay = (socket: Socket): ServerResponse | null | undefined =>
  (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage;

/**
 * Whether the broken request has an answer already; a second one must be written neither into nor
 * after it.
 */
function hasAnswered(socket: Socket): boolean {
  const answer = underWay(socket);
  if (!answer) return wasAnsweredEarly(socket);
  return answer.headersSent && !answer.req.complete;
}

function answerOf({ code, reason }: ClientError): ErrorAnswer {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return errorAnswer(408, 'the request took too long to arrive');
  if (code === 'HPE_HEADER_OVERFLOW') return HEAD_TOO_LARGE;
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return errorAnswer(413, 'the chunk extensions are too large');
  if (code === 'HPE_INVALID_URL')
    return errorAnswer(
      400,
      'the request line cannot be read: its target begins with / or http://, and characters beyond ASCII have to be percent-encoded',
    );
  return errorAnswer(400, `this is not HTTP that can be read${reason ? `: ${reason}` : ''}`);
}
