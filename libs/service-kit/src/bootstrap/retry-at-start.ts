import { setTimeout as sleep } from 'node:timers/promises';
import { describeConnectFailure, isUnavailable } from '@waymark/domain/database/errors';
import type { Logger } from 'pino';
import { StartError } from '../config/read-settings.js';

const PATIENCE_MS = 30_000;
const PAUSE_MS = 500;
/** A wrong address, login or name of a database, which no waiting mends. */
const IS_WRONG = /^(ECONNREFUSED|ENOTFOUND|28|3D000)/;

/**
 * Retries what a service asks of the database before it takes requests, while the server is there
 * and gives no answer in time: as it recovers, or is busy with others. Throws a `StartError` with
 * one sentence where it cannot be used.
 */
export async function retryAtStart<Result>(
  work: () => Promise<Result>,
  logger: Logger,
): Promise<Result> {
  const givesUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const cause = (error as Error).cause ?? error;
      if (!isUnavailable(cause)) throw error;
      if (isWrong(cause) || performance.now() > givesUpAt) throw unusable(cause);
      logger.warn({ err: cause }, 'the database gives no answer yet, trying again');
      await sleep(PAUSE_MS);
    }
  }
}

const isWrong = (error: unknown): boolean => IS_WRONG.test((error as { code?: string }).code ?? '');

/** Says why without the address, which has the password in it. */
export const unusable = (cause: unknown): StartError =>
  new StartError(`the database of DATABASE_URL cannot be used: ${describeConnectFailure(cause)}`, {
    cause,
  });
