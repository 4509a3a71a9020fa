import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';

/**
 * How long a statement of the schema may wait for its lock: every statement queued behind it waits
 * as long (R15).
 */
export const LOCK_TIMEOUT_MS = 150;
/** Pause between two tries, in which those who waited get through. */
const PAUSE_MS = 200;
const ATTEMPTS = 300;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs a statement that needs a strong lock for a moment, on a table that is in use. It waits for
 * the lock only briefly and tries again, since all other statements queue behind it while it waits
 * (R15). Not inside a transaction. Throws the last refusal after about two minutes.
 */
export const withBriefLock = (runner: QueryRunner, statement: string): Promise<void> =>
  retryBriefLock(() =>
    withLockTimeout(runner, LOCK_TIMEOUT_MS, () => runner.query(statement) as Promise<void>),
  );

/** Does work on a connection of its own. */
export async function withRunner<Done>(
  dataSource: DataSource,
  work: (runner: QueryRunner) => Promise<Done>,
): Promise<Done> {
  const runner = dataSource.createQueryRunner();
  try {
    return await work(runner);
  } finally {
    await runner.release();
  }
}

/**
 * Does work again that was refused a lock, a whole transaction mostly. Throws the last refusal
 * after about two minutes.
 */
export async function retryBriefLock<Done>(work: () => Promise<Done>): Promise<Done> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || attempt === ATTEMPTS)
        throw error;
      await pause(PAUSE_MS);
    }
  }
}

/**
 * Does work whose statements wait so many milliseconds for a lock, 0 for any time; afterwards it is
 * as it was before.
 */
export async function withLockTimeout<Done>(
  runner: QueryRunner,
  ms: number,
  work: () => Promise<Done>,
): Promise<Done> {
  const [before] = (await runner.query("SELECT current_setting('lock_timeout') AS value")) as {
    value: string;
  }[];
  await runner.query(`SET lock_timeout = ${ms}`);
  try {
    return await work();
  } finally {
    await runner.query(`SET lock_timeout = '${before!.value}'`).catch(() => undefined);
  }
}
