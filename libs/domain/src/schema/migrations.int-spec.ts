import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase } from '@waymark/testing/postgres';
import type { DataSource } from 'typeorm';
import '../outbound/index.js';
import '../access/index.js';
import '../states/index.js';
import '../flows/index.js';
import '../states/index.js';
import '../users/index.js';
import { definedStatements } from '../database/index.js';
import { createDataSource } from './index.js';

describe.each([
  { shape: 'plain', partitioned: false },
  { shape: 'hash-partitioned', partitioned: true },
])('the $shape schema', ({ partitioned }) => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase({ partitioned });
    const settings = {
      poolSize: 1,
      applicationName: 'migrations',
      statementTimeoutMs: 0,
      connectTimeoutMs: 0,
      answerTimeoutMs: 0,
    };
    dataSource = await createDataSource({ url: database.url, ...settings }).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const loadTables = async (): Promise<string[]> => {
    const rows: { relname: string }[] = await dataSource.query(
      "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace ORDER BY relname",
    );
    return rows.map((row) => row.relname);
  };

  const loadSchema = async (): Promise<string[]> => {
    const rows: { found: string }[] = await dataSource.query(
      `SELECT format('%s.%s %s', table_name, column_name, data_type) AS found FROM information_schema.columns
         WHERE table_schema = 'public'
       UNION ALL SELECT format('%s on %s', indexname, tablename) FROM pg_indexes WHERE schemaname = 'public'`,
    );
    return rows.map(({ found }) => found).sort();
  };

  test('goes up, down to nothing, and up again to the same; each step down leaves what was there before it', async () => {
    const whole = await loadSchema();
    const migrations = [...dataSource.migrations];
    // A cloned database has the tables of its template, not its settings. The pool has one
    // connection, so it holds.
    if (partitioned) await dataSource.query('SET waymark.partitions = 4');
    const left = new Map<object, string[]>();
    for (const migration of migrations.toReversed()) {
      await dataSource.undoLastMigration({ transaction: 'each' });
      left.set(migration, await loadSchema());
    }
    expect(await loadTables()).toEqual(['migrations']);
    for (const [index, migration] of migrations.entries()) {
      const { name } = migration.constructor;
      expect([name, left.get(migration)]).toEqual([name, await loadSchema()]);
      Object.assign(dataSource, { migrations: migrations.slice(0, index + 1) });
      await dataSource.runMigrations({ transaction: 'each' });
    }
    expect(await loadSchema()).toEqual(whole);
  });

  test('is what the entities say: no drift', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  test('has the user tables partitioned by user_id as asked', async () => {
    const rows: { table: string; key: string }[] = await dataSource.query(
      `SELECT relid.relname AS table, pg_get_partkeydef(relid.oid) AS key
         FROM pg_class relid WHERE relid.relkind = 'p' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
    );
    const keys = Object.fromEntries(rows.map(({ table, key }) => [table, key]));
    const user = 'HASH (user_id)';
    const expected = {
      attention_states: user,
      effects: user,
      delays: user,
      flow_events: user,
      flow_states: user,
      groups: 'HASH (group_id)',
      memberships: user,
      tracked_users: user,
      user_events: user,
      users: user,
    };
    expect(keys).toEqual(partitioned ? expected : {});
  });

  test('answers to every hot statement: their columns are in step with the entities', async () => {
    expect(definedStatements().length).toBeGreaterThan(0);
    for (const { name, text } of definedStatements())
      await dataSource.query(`PREPARE ${name} AS ${text}`);
  });
});
