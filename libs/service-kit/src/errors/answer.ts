import { types } from 'node:util';
import { HttpException } from '@nestjs/common';
import { DomainError } from '@waymark/domain/errors';
import { CODE_OF_STATUS, isKnownStatus, STATUS_OF_ERROR, type EnvelopeCode, type Status } from './error-table.js';
import { Refusal } from './refusal.js';

/** The body of every answer that is not a success (W2). */
export interface Envelope {
  code: EnvelopeCode;
  details: string;
  requestId: string;
}

/** What a client is told of an error. */
export interface ErrorAnswer {
  status: Status;
  details: string;
  headers: Readonly<Record<string, string>>;
}

/** Seconds after which a refused client may try again (W5). */
const RETRY_AFTER: Readonly<Record<string, string>> = Object.freeze({ 'retry-after': '1' });
const CRASH = 'something went wrong on this side; the log has more under this request id';

/** What to answer: refusals speak for themselves, everything unexpected is a 500 that says nothing of its cause (W2). */
export function answerOf(error: unknown): ErrorAnswer {
  if (error instanceof DomainError) return answer(STATUS_OF_ERROR[error.code], error.message);
  if (error instanceof Refusal) return answer(error.status, error.message, error.headers);
  const fault = error instanceof HttpException && error.cause ? error.cause : error;
  const { statusCode } = fault as { statusCode?: unknown };
  if (typeof statusCode === 'number' && types.isNativeError(fault)) return answer(statusCode, plain(fault));
  if (error instanceof HttpException) return answer(error.getStatus(), error.message);
  return answer(500, CRASH);
}

/** The envelope of an answer. */
export const envelopeOf = ({ status, details }: ErrorAnswer, requestId: string): Envelope => ({
  code: CODE_OF_STATUS[status],
  details,
  requestId,
});

function answer(status: number, details: string, headers: Readonly<Record<string, string>> = {}): ErrorAnswer {
  if (!isKnownStatus(status)) return answer(status >= 400 && status < 500 ? 400 : 500, status < 500 ? details : CRASH);
  if (status === 500) return { status, details: CRASH, headers: {} };
  return { status, details, headers: status === 503 || status === 429 ? { ...RETRY_AFTER, ...headers } : headers };
}

/** Fastify's own refusals in our words. */
function plain(error: Error): string {
  const { code } = error as { code?: unknown };
  return (typeof code === 'string' && FASTIFY_WORDS[code]) || error.message;
}

const FASTIFY_WORDS: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL:
    'the path cannot be decoded: every % has to be followed by two hexadecimal digits and the bytes have to be UTF-8',
  FST_ERR_MAX_PARAM_LENGTH: 'a part of the path is too long',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'the body is not as long as its content-length says',
};
