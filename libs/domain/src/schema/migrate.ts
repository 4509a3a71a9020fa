import { setTimeout as pause } from 'node:timers/promises';
import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { LOCK_TIMEOUT_MS, retryBriefLock, withLockTimeout, withRunner } from './locks/brief-lock.js';
import { raiseEventPlaces } from './event-places.js';
import { MIGRATIONS } from './migrations/index.js';

/** Names of migrations in their order: which the database has, and which this release would still add. */
export interface MigrationStatus {
  applied: string[];
  pending: string[];
}

/** Any number that nobody else locks; the same in every release. */
const LOCK = 7_140_071;
const POLL_MS = 100;

/** Reads only: a database without any of our tables has everything pending. */
export async function loadMigrationStatus(dataSource: DataSource): Promise<MigrationStatus> {
  const [table] = (await dataSource.query("SELECT to_regclass('migrations') IS NOT NULL AS exists")) as { exists: boolean }[];
  const rows = table?.exists ? ((await dataSource.query('SELECT name FROM migrations ORDER BY id')) as { name: string }[]) : [];
  const applied = rows.map((row) => row.name);
  return { applied, pending: MIGRATIONS.map((migration) => migration.name).filter((name) => !applied.includes(name)) };
}

/**
 * Applies what is pending, each migration in a transaction of its own unless it says otherwise. If several processes do so
 * at once, one of them does the work. A migration that does not get its locks at once is taken back and tried again, so
 * that no service waits behind it (R15). After a restore into a new cluster it moves the places of new events up (E2).
 */
export const migrateUp = (dataSource: DataSource): Promise<MigrationStatus> =>
  alone(dataSource, async () => {
    await execute(dataSource, (executor) => executor.executePendingMigrations());
    await raiseEventPlaces(dataSource);
    return loadMigrationStatus(dataSource);
  });

/** Takes the last migration back, and with it the data that it made room for. */
export const migrateDown = (dataSource: DataSource): Promise<MigrationStatus> =>
  alone(dataSource, async () => {
    const { applied } = await loadMigrationStatus(dataSource);
    if (applied.length > 0) await execute(dataSource, (executor) => executor.undoLastMigration());
    return loadMigrationStatus(dataSource);
  });

const execute = (dataSource: DataSource, work: (executor: MigrationExecutor) => Promise<unknown>): Promise<unknown> =>
  withRunner(dataSource, (runner) => {
    const attempt = () => {
      const executor = new MigrationExecutor(dataSource, runner);
      executor.transaction = 'each';
      return work(executor);
    };
    return withLockTimeout(runner, LOCK_TIMEOUT_MS, () => retryBriefLock(attempt));
  });

/** Runs work on the schema while no other process does. The lock is held by a connection of its own, so that it ends with the process at the latest. Needs a pool of two. */
export const alone = <Done>(dataSource: DataSource, work: () => Promise<Done>): Promise<Done> =>
  withRunner(dataSource, async (holder) => {
    await lock(holder);
    try {
      return await work();
    } finally {
      await holder.query('SELECT pg_advisory_unlock($1)', [LOCK]);
    }
  });

/** Asks again and again rather than wait: an index that is built concurrently waits for every statement that is under way. */
async function lock(holder: QueryRunner): Promise<void> {
  for (;;) {
    const [row] = (await holder.query('SELECT pg_try_advisory_lock($1) AS locked', [LOCK])) as { locked: boolean }[];
    if (row?.locked) return;
    await pause(POLL_MS);
  }
}
