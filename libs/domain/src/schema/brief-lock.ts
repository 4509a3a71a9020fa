import { setTimeout as pause } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';

/** How long a statement of the schema may wait for its lock: whoever comes behind it waits as long (R15). */
const LOCK_TIMEOUT_MS = 150;
/** Pause between two tries, in which those who waited get through. */
const PAUSE_MS = 200;
const ATTEMPTS = 300;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs a statement that needs a strong lock for a moment, on a table that is in use. It waits for the lock only briefly
 * and tries again, since everybody else queues behind it while it waits (R15). Outside a transaction, unless the caller
 * is one already. Throws the last refusal after about two minutes.
 */
export function withBriefLock(runner: QueryRunner, statement: string): Promise<void> {
  return retryBriefLock(() => runWithTimeout(runner, statement));
}

/** The same of work that sets a timeout for its locks itself. */
export async function retryBriefLock<Done>(work: () => Promise<Done>): Promise<Done> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || attempt === ATTEMPTS) throw error;
      await pause(PAUSE_MS);
    }
  }
}

async function runWithTimeout(runner: QueryRunner, statement: string): Promise<void> {
  await runner.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
  try {
    await runner.query(statement);
  } finally {
    await runner.query('SET lock_timeout = 0').catch(() => undefined);
  }
}
