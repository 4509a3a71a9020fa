import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorAnswer, rawErrorSender } from '../errors/index.js';

const BUSY = errorAnswer(503, 'too many requests are under way, please try again');

/** Answers 503 as every other refusal looks (W2, W3, W6), without the framework. */
export function answerBusy(
  origins: '*' | string[],
  note: (requestId: string, why: string) => void,
): (request: IncomingMessage, response: ServerResponse) => void {
  const send = rawErrorSender(origins);
  return (request, response) => note(send(BUSY, response, request), BUSY.details);
}
