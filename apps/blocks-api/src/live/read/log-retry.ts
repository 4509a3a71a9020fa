import type { Logger } from 'pino';

const PAUSE_MS = 1_000;
let lastAt = -Infinity;

/**
 * What watches need is read again and again until it is there: worth a warning, one a second for
 * all sockets together.
 */
export function logRetry(logger: Logger, error: unknown): void {
  const now = performance.now();
  if (now - lastAt < PAUSE_MS) return;
  lastAt = now;
  logger.warn({ err: error }, 'live updates wait for the database');
}
