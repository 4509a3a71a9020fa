import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { administer, createTestDatabase, type TestDatabase } from '@waymark/testing/postgres';
import { until } from '@waymark/testing/services';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import {
  loadMigrationStatus,
  migrateDown,
  type MigrationStatus,
  migrateUp,
  MIGRATIONS,
} from './index.js';

/**
 * For a table, before which others queue up; or, where an index is built beside them, for the end
 * of our transaction.
 */
const MIGRATOR_WAITS = `
  SELECT coalesce(bool_or(l.mode = 'AccessExclusiveLock'), false) AS "forTable",
    coalesce(bool_or(l.locktype = 'virtualxid'), false) AS "forUs"
  FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid WHERE NOT l.granted AND a.datname = current_database()`;
const TRIES_THAT_ARE_SEEN = 2;

describe.each([
  { shape: 'plain', partitioned: false },
  { shape: 'hash-partitioned', partitioned: true },
])('a migration of $shape tables that has to wait for its locks', ({ partitioned }) => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createTestDatabase({ partitioned });
    dataSource = await database.connect();
    for (let left = MIGRATIONS.length; left > 1;)
      left = (await migrateDown(dataSource)).applied.length;
  });
  afterEach(() => database.drop());

  test('keeps no statement of an application waiting behind it, and is done once it is let (R15)', async () => {
    const tables = await loadTables(dataSource);
    const applied = async () => (await loadMigrationStatus(dataSource)).applied.length;
    let running: Promise<MigrationStatus> | undefined;
    let isDone = false;
    // Somebody who reads on, a report or a backup, and the next one as soon as a migration got
    // through: each one is blocked.
    await administer(database.url, async (reader) => {
      while (!isDone) {
        const before = await applied();
        await reader.query('BEGIN');
        for (const table of tables) await reader.query(`SELECT FROM ${table} LIMIT 1`);
        running ??= migrateUp(dataSource).finally(() => (isDone = true));
        let isSeen = false;
        const beside = administer(database.url, (application) =>
          workBeside(application, tables, () => isSeen),
        );
        await Promise.race([beside, seeTries(reader, () => isDone)]).finally(() => (isSeen = true));
        await beside;
        await reader.query('COMMIT');
        await until(async () => isDone || (await applied()) > before);
      }
    });
    expect((await running)?.pending).toEqual([]);
    expect((await loadMigrationStatus(dataSource)).applied).toHaveLength(MIGRATIONS.length);
    const [left] = await dataSource.query("SELECT current_setting('lock_timeout') AS value");
    expect(left).toEqual({ value: '0' });
  });
});

/** Uses every table again and again; throws for a lock that is not given way for. */
async function workBeside(
  client: pg.Client,
  tables: readonly string[],
  isSeen: () => boolean,
): Promise<void> {
  await client.query("SET lock_timeout = '2min'");
  while (!isSeen()) {
    for (const table of tables) {
      await client.query(`SELECT FROM ${table} LIMIT 1`);
      await client.query(`DELETE FROM ${table} WHERE false`);
    }
  }
}

/**
 * Resolves when a migration was seen to wait, to give way and to wait again, or to wait for us
 * alone, or all are done.
 */
async function seeTries(client: pg.Client, isDone: () => boolean): Promise<void> {
  let wasWaiting = false;
  for (let tries = 0; tries < TRIES_THAT_ARE_SEEN && !isDone();) {
    const { rows } = await client.query<{ forTable: boolean; forUs: boolean }>(MIGRATOR_WAITS);
    const { forTable, forUs } = rows[0]!;
    if (forUs) return;
    if (forTable && !wasWaiting) tries++;
    wasWaiting = forTable;
  }
}

async function loadTables(dataSource: DataSource): Promise<string[]> {
  const rows = await dataSource.query<{ name: string }[]>(
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
       AND relnamespace = 'public'::regnamespace AND relname <> 'migrations'`,
  );
  return rows.map(({ name }) => name);
}

/** Tables that no request touches. */
const OF_OPERATORS = ['reset_runs'];

test('no migration up builds an index on a table in use but beside its writers (R15)', () => {
  const folder = new URL('./migrations/', import.meta.url);
  const plain = readdirSync(folder).flatMap((file) => {
    const [text = ''] = readFileSync(new URL(file, folder), 'utf8').split('async down');
    const made = [...text.matchAll(/CREATE TABLE (\w+)/g)].map(([, table]) => table);
    const built = [...text.matchAll(/CREATE (?:UNIQUE )?INDEX (\w+) ON (\w+)/g)];
    return built.flatMap(([, index, table]) =>
      made.includes(table) || OF_OPERATORS.includes(table!) ? [] : `${file} ${index}`,
    );
  });
  expect(plain.filter((one) => !one.startsWith('1790000000000-initial.ts '))).toEqual([]);
});
