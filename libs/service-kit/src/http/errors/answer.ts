import { HttpException } from '@nestjs/common';
import { DomainError, isUnavailable, unavailableSentence } from '@waymark/domain/database/errors';
import type { FastifyError } from 'fastify';
import {
  CODE_OF_STATUS,
  isKnownStatus,
  STATUS_OF_ERROR,
  type EnvelopeCode,
  type Status,
  bodyTooLarge,
  Refusal,
} from './error-table.js';

/** The body of every answer that is not a success (W2). */
interface Envelope {
  code: EnvelopeCode;
  details: string;
  requestId: string;
}

/** What a client learns of an error. */
export interface ErrorAnswer {
  status: Status;
  details: string;
  headers: Readonly<Record<string, string>>;
}

/** Seconds after which a refused client may try again (W5). */
const RETRY_AFTER: Readonly<Record<string, string>> = Object.freeze({ 'retry-after': '1' });
const CRASH = 'something went wrong on this side; the log has more under this request id';

/**
 * What to answer: refusals speak for themselves, everything unexpected is a 500 that says nothing
 * of its cause (W2). Fastify's word for a body beyond `bodyLimit` does not say how much is allowed.
 */
export function answerOf(error: unknown, bodyLimit?: number): ErrorAnswer {
  if (error instanceof DomainError) return errorAnswer(STATUS_OF_ERROR[error.code], error.message);
  if (error instanceof Refusal) return errorAnswer(error.status, error.message, error.headers);
  const cause: unknown = error instanceof HttpException ? error.cause : error;
  if (isTooLarge(cause) && bodyLimit !== undefined) return answerOf(bodyTooLarge(bodyLimit));
  if (isFastifyError(cause))
    return errorAnswer(cause.statusCode ?? 500, FASTIFY_WORDS[cause.code] ?? cause.message);
  if (isAborted(cause)) return errorAnswer(400, 'the body did not arrive whole');
  if (error instanceof HttpException) return errorAnswer(error.getStatus(), error.message);
  // What TypeORM throws has not passed the domain's own translation.
  if (isUnavailable(Object(error))) return errorAnswer(503, unavailableSentence(error));
  return errorAnswer(500, CRASH);
}

/** The envelope of an answer. */
export const envelopeOf = ({ status, details }: ErrorAnswer, requestId: string): Envelope => ({
  code: CODE_OF_STATUS[status],
  details,
  requestId,
});

/**
 * An error with its status: one that is not of the contract becomes one that is, a 500 says nothing
 * of its cause (W2), and clients that may try again learn when (W5).
 */
export function errorAnswer(
  status: number,
  details: string,
  headers: Readonly<Record<string, string>> = {},
): ErrorAnswer {
  if (!isKnownStatus(status))
    return errorAnswer(status >= 400 && status < 500 ? 400 : 500, status < 500 ? details : CRASH);
  if (status === 500) return { status, details: CRASH, headers: {} };
  return {
    status,
    details,
    headers: status === 503 || status === 429 ? { ...RETRY_AFTER, ...headers } : headers,
  };
}

const isFastifyError = (error: unknown): error is FastifyError =>
  (error as FastifyError | null)?.name === 'FastifyError';

const isTooLarge = (error: unknown): boolean =>
  (error as FastifyError | null)?.code === 'FST_ERR_CTP_BODY_TOO_LARGE';

/**
 * The connection broke while the body was read: Node's words for it, with the status that Fastify
 * gives it.
 */
function isAborted(error: unknown): boolean {
  const { code, statusCode } = Object(error) as { code?: unknown; statusCode?: unknown };
  return code === 'ECONNRESET' && statusCode === 400;
}

/** Fastify's own refusals in our words. */
const FASTIFY_WORDS: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL:
    'the path cannot be decoded: every % has to be followed by two hexadecimal digits and the bytes have to be UTF-8',
  FST_ERR_CTP_INVALID_MEDIA_TYPE:
    'the body has to be JSON, with the header content-type: application/json',
  FST_ERR_MAX_PARAM_LENGTH: 'a part of the path is too long',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'the body is not as long as its content-length says',
};
