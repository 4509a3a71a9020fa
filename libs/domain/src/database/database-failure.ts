import { DomainError } from '../errors/index.js';

/** What node and pg say when there is no server to talk to, or no answer in time. */
const LOST = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const LOST_MESSAGES = [
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed',
];
/** SQLSTATEs of a server that cannot serve just now: connection (08), resources (53), shutdown (57P), timeouts and locks. */
const BUSY = /^(08|53|57P|57014|55P03|25006|25P03)/;

/** Whether the error tells of a server out of reach or too busy, rather than of a bad statement or bad data. */
export function isUnavailable(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && (LOST.has(code) || BUSY.test(code))) return true;
  return typeof message === 'string' && LOST_MESSAGES.some((text) => message.includes(text));
}

/** Whether the connection may still be used after this error: only a plain answer of the server leaves it clean. */
export function isConnectionSound(error: unknown): boolean {
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && severity === 'ERROR';
}

/** The error itself, or `database.unavailable` where the server is out of reach: safe to retry, nothing is known to be written. */
export function databaseFailure(error: unknown): unknown {
  if (!isUnavailable(error)) return error;
  return new DomainError('database.unavailable', 'the database cannot be reached just now, please try again', { cause: error });
}
