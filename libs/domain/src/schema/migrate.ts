import { setTimeout as pause } from 'node:timers/promises';
import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import {
  LOCK_TIMEOUT_MS,
  retryBriefLock,
  withLockTimeout,
  withRunner,
  withBriefLock,
} from './locks/brief-lock.js';
import { type DomainError, invalidRequest } from '../database/errors/index.js';
import { MIGRATIONS } from './migrations/index.js';
import { Database } from '../database/database.js';
import { defineStatement } from '../database/statement.js';
import { ORIGIN_SQL } from '../events/reader/log-position.js';

/**
 * Names of migrations in their order: which the database has, and which this release would still
 * add.
 */
export interface MigrationStatus {
  applied: string[];
  pending: string[];
}

/** Any number that nobody else locks; the same in every release. */
const LOCK = 7_140_071;
const POLL_MS = 100;

/** Reads only: a database without any of our tables has everything pending. */
export async function loadMigrationStatus(dataSource: DataSource): Promise<MigrationStatus> {
  const [table] = (await dataSource.query(
    "SELECT to_regclass('migrations') IS NOT NULL AS exists",
  )) as { exists: boolean }[];
  const rows = table?.exists
    ? ((await dataSource.query('SELECT name FROM migrations ORDER BY id')) as { name: string }[])
    : [];
  const applied = rows.map((row) => row.name);
  return {
    applied,
    pending: MIGRATIONS.map((migration) => migration.name).filter(
      (name) => !applied.includes(name),
    ),
  };
}

/** The highest place that anybody knows: of an event, or that an endpoint waits at. */
const HIGHEST = `greatest(
  (SELECT max(place) FROM flow_events), (SELECT max(place) FROM endpoint_progress), 0)`;
/** The place that the next transaction would get. */
const NEXT = `(pg_snapshot_xmax(pg_current_snapshot())::text::bigint + ${ORIGIN_SQL})`;

const ARE_AHEAD = defineStatement(
  'are_event_places_ahead',
  `SELECT coalesce((SELECT max(place) FROM flow_events) >= ${NEXT}, false)
     OR coalesce((SELECT max(place) FROM endpoint_progress) > ${NEXT}, false) AS ahead`,
);

/**
 * Applies what is pending, each migration in a transaction of its own unless it says otherwise. If
 * several processes do so at once, one of them does the work. A migration that does not get its
 * locks at once is taken back and tried again, so that no service waits behind it (R15). After a
 * restore into a new cluster it moves the places of new events up (E2).
 */
export const migrateUp = (dataSource: DataSource): Promise<MigrationStatus> =>
  alone(dataSource, async () => {
    await execute(dataSource, (executor) => executor.executePendingMigrations());
    await raiseEventPlaces(dataSource);
    return loadMigrationStatus(dataSource);
  });

/**
 * Whether events have places that transactions of now have not reached: the database was restored
 * into a cluster that counts them anew, and new events would be delivered before existing ones, or
 * never (E2).
 */
export async function areEventPlacesAhead(database: Database): Promise<boolean> {
  if (await database.isDistributed()) return false;
  const [row] = await database.run<{ ahead: boolean }>(ARE_AHEAD, []);
  return row?.ahead === true;
}

/** Makes the log places of new events greater than all existing ones, where they are not (E2). */
async function raiseEventPlaces(dataSource: DataSource): Promise<void> {
  if (await new Database(dataSource, false).isDistributed()) return;
  const [row] = (await dataSource.query(
    `SELECT (${ARE_AHEAD.text}) AS ahead, ${HIGHEST}::text AS highest`,
  )) as {
    ahead: boolean;
    highest: string;
  }[];
  if (!row?.ahead) return;
  const raise = `ALTER TABLE flow_events ALTER COLUMN place SET DEFAULT ((pg_current_xact_id())::text)::bigint + ${BigInt(row.highest)}`;
  await withRunner(dataSource, (runner) => withBriefLock(runner, raise));
}

/** Takes the last migration back, and with it the data that it made room for. */
export const migrateDown = (dataSource: DataSource): Promise<MigrationStatus> =>
  alone(dataSource, async () => {
    const { applied } = await loadMigrationStatus(dataSource);
    if (applied.length > 0) await execute(dataSource, (executor) => executor.undoLastMigration());
    return loadMigrationStatus(dataSource);
  });

const execute = (
  dataSource: DataSource,
  work: (executor: MigrationExecutor) => Promise<unknown>,
): Promise<unknown> =>
  withRunner(dataSource, (runner) => {
    const attempt = () => {
      const executor = new MigrationExecutor(dataSource, runner);
      executor.transaction = 'each';
      return work(executor);
    };
    return withLockTimeout(runner, LOCK_TIMEOUT_MS, () => retryBriefLock(attempt));
  }).catch((error: { code?: unknown }) => {
    throw error.code === '42501' ? mayNot(error) : error;
  });

/** As with the role of the services, which reads and writes rows alone. */
const mayNot = (cause: unknown): DomainError =>
  invalidRequest(
    'this role may not make or change tables: give DATABASE_URL the address of the role that owns them, as docs/deploy/roles.sql makes it',
    { cause },
  );

/**
 * Runs work on the schema while no other process does. The lock is held by a connection of its own,
 * so that it ends with the process at the latest. Needs a pool of two.
 */
export const alone = <Done>(dataSource: DataSource, work: () => Promise<Done>): Promise<Done> =>
  withRunner(dataSource, async (holder) => {
    await lock(holder);
    try {
      return await work();
    } finally {
      await holder.query('SELECT pg_advisory_unlock($1)', [LOCK]);
    }
  });

/**
 * Polls for the lock instead of waiting: an index that is built concurrently waits for every
 * statement that is under way.
 */
async function lock(holder: QueryRunner): Promise<void> {
  for (;;) {
    const [row] = (await holder.query('SELECT pg_try_advisory_lock($1) AS locked', [LOCK])) as {
      locked: boolean;
    }[];
    if (row?.locked) return;
    await pause(POLL_MS);
  }
}

/**
 * Whether deleting the data would lose anything: a user or a flow. A database without the schema
 * holds nothing.
 */
export async function holdsData(dataSource: DataSource): Promise<boolean> {
  const [table] = (await dataSource.query("SELECT to_regclass('users') IS NOT NULL AS exists")) as {
    exists: boolean;
  }[];
  if (!table?.exists) return false;
  const [row] = (await dataSource.query(
    'SELECT EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM flows) AS data',
  )) as {
    data: boolean;
  }[];
  return row?.data === true;
}
