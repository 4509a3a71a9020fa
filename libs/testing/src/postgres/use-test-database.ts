import { afterAll, beforeAll } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from './create-test-database.js';

/** A database for the tests of a file or of a `describe`: made before the first of them, dropped after the last. */
export function useTestDatabase(): { readonly dataSource: DataSource } {
  const own = {} as { dataSource: DataSource };
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    own.dataSource = await database.connect();
  });
  afterAll(() => database.drop());
  return own;
}
