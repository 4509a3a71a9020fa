import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { errorAnswer, type ErrorAnswer } from './answer.js';
import { rawErrorSender } from './send-raw-error.js';

/** What Node tells of a request that it could not read; `reason` is in the words of its parser. */
type ClientError = Error & { code?: string; reason?: string };

/** Answers on the bare socket what Node could not read as a request: 400, 408, 413 and 431 with the envelope (W2). */
export function answerClientErrors(origins: '*' | string[]): (error: ClientError, socket: Socket) => void {
  const send = rawErrorSender(origins);
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || hasAnswered(socket)) socket.destroy();
    else send(answerOf(error), socket);
  };
}

/** The last request of a connection that was answered before its body had arrived. */
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

function answerOf({ code, reason }: ClientError): ErrorAnswer {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return errorAnswer(408, 'the request took too long to arrive');
  if (code === 'HPE_HEADER_OVERFLOW') return errorAnswer(431, 'the request line and headers are larger than 16 KiB together');
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return errorAnswer(413, 'the chunk extensions are too large');
  if (code === 'HPE_INVALID_URL')
    return errorAnswer(
      400,
      'the request line cannot be read: its target begins with / or http://, and characters beyond ASCII have to be percent-encoded',
    );
  return errorAnswer(400, `this is not HTTP that can be read${reason ? `: ${reason}` : ''}`);
}
