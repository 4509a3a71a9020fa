import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@waymark/testing/postgres';
import { loadMigrationStatus, migrateDown, migrateUp, MIGRATIONS } from './index.js';

const ALL = MIGRATIONS.map(({ name }) => name);

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase({ empty: true });
});
afterEach(() => database.drop());

describe('migrations', () => {
  test('are looked at without writing anything', async () => {
    const dataSource = await database.connect();
    expect(await loadMigrationStatus(dataSource)).toEqual({ applied: [], pending: ALL });
    expect(await dataSource.query("SELECT FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
  });

  test('are applied once by several processes at once, and are taken back one by one', async () => {
    const dataSources = await Promise.all([
      database.connect(),
      database.connect(),
      database.connect(),
    ]);
    const done = await Promise.all(dataSources.map(migrateUp));
    expect(done).toEqual(dataSources.map(() => ({ applied: ALL, pending: [] })));
    const dataSource = dataSources[0];
    expect(await migrateDown(dataSource)).toEqual({
      applied: ALL.slice(0, -1),
      pending: ALL.slice(-1),
    });
    for (const _ of ALL) await migrateDown(dataSource);
    expect(await loadMigrationStatus(dataSource)).toEqual({ applied: [], pending: ALL });
  });
});
