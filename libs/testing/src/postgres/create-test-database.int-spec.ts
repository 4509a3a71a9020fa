import { describe, expect, test } from '@jest/globals';
import { administer } from './administer.js';
import { createTestDatabase } from './create-test-database.js';

const PARTITIONED = "SELECT relname FROM pg_class WHERE relkind = 'p' ORDER BY relname";

describe('a test database', () => {
  test('is migrated, is its own, and is gone after drop', async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    const dataSource = await one.connect();
    await dataSource.query("INSERT INTO environments (name) VALUES ('only here')");
    const names = await administer(other.url, (client) =>
      client.query('SELECT name FROM environments ORDER BY name'),
    );
    expect(names.rows).toEqual([{ name: 'development' }, { name: 'production' }]);
    await Promise.all([one.drop(), other.drop()]);
    await expect(administer(one.url, (client) => client.query('SELECT 1'))).rejects.toThrow(
      'does not exist',
    );
  });

  test('has hash-partitioned user tables where that is asked for', async () => {
    const database = await createTestDatabase({ partitioned: true });
    const { rows } = await administer(database.url, (client) =>
      client.query<{ relname: string }>(PARTITIONED),
    );
    expect(rows.map(({ relname }) => relname)).toEqual(
      expect.arrayContaining([
        'effects',
        'flow_events',
        'flow_states',
        'groups',
        'memberships',
        'users',
      ]),
    );
    await database.drop();
  });

  test('has no schema when it is to be empty', async () => {
    const database = await createTestDatabase({ empty: true });
    const { rows } = await administer(database.url, (client) =>
      client.query("SELECT FROM pg_tables WHERE schemaname = 'public'"),
    );
    expect(rows).toEqual([]);
    await database.drop();
  });
});
