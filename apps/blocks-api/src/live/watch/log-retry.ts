import type { Logger } from 'pino';

/** What watches need is read again and again until it is there, so an error is worth a warning and no more. */
export const logRetry = (logger: Logger, error: unknown): void =>
  logger.warn({ err: error }, 'live updates wait for the database');
