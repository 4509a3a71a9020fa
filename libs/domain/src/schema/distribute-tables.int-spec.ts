import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase, rehearseCitus, type TestDatabase } from '@waymark/testing/postgres';
import type { DataSource } from 'typeorm';
import { getEnvironment } from '../access/index.js';
import { addEndpoint, listEndpoints } from '../outbound/index.js';
import {
  DISTRIBUTION_KEYS,
  distributeTables,
  listEndingEndpoints,
  migrateUp,
  REFERENCE_TABLES,
} from './index.js';

let database: TestDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await createTestDatabase({ partitioned: false });
  dataSource = await database.connect();
});
afterAll(() => database.drop());

const names = async (query: string) =>
  ((await dataSource.query(query)) as { name: string }[]).map(({ name }) => name);
const DISTRIBUTED = Object.keys(DISTRIBUTION_KEYS);
const ARE_DISTRIBUTED = `(${DISTRIBUTED.map((table) => `'${table}'::regclass`).join(', ')})`;

test('every table is either spread by its key or copied to every server, after those that it refers to (G2)', async () => {
  const tables = await names(
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
  );
  expect([...DISTRIBUTED, ...REFERENCE_TABLES].sort()).toEqual(tables.sort());
  const references = await names(
    "SELECT conrelid::regclass || ' ' || confrelid::regclass AS name FROM pg_constraint WHERE contype = 'f' AND conrelid <> confrelid",
  );
  const place = (table: string) => REFERENCE_TABLES.findIndex((name) => name === table);
  for (const [from, to] of references.map((pair) => pair.split(' ') as [string, string]))
    expect(place(to)).toBeLessThan(place(from));
});

describe('tables that are spread have nothing that Citus does not take there (G2)', () => {
  test.each(Object.entries(DISTRIBUTION_KEYS))(
    'the key of %s, %s, is in each of its unique indexes',
    async (table, key) => {
      const without = await names(
        `SELECT i.indexrelid::regclass AS name FROM pg_index i WHERE i.indrelid = '${table}'::regclass AND i.indisunique
         AND NOT EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attname = '${key}' AND a.attnum = ANY (i.indkey))`,
      );
      expect(without).toEqual([]);
    },
  );

  test('no trigger, no foreign key, no identity column and no sequence', async () => {
    const found = await names(
      `SELECT 'trigger ' || tgname AS name FROM pg_trigger WHERE tgrelid IN ${ARE_DISTRIBUTED}
       UNION ALL SELECT 'foreign key ' || conname FROM pg_constraint WHERE contype = 'f' AND (conrelid IN ${ARE_DISTRIBUTED} OR confrelid IN ${ARE_DISTRIBUTED})
       UNION ALL SELECT 'identity ' || attname FROM pg_attribute WHERE attrelid IN ${ARE_DISTRIBUTED} AND attidentity <> ''
       UNION ALL SELECT 'sequence of ' || adrelid::regclass FROM pg_attrdef WHERE adrelid IN ${ARE_DISTRIBUTED} AND pg_get_expr(adbin, adrelid) ~ 'nextval'`,
    );
    expect(found).toEqual([]);
  });
});

const refusal = (of: DataSource) =>
  distributeTables(of).then(
    () => undefined,
    (error: Error) => error.message,
  );

describe('distributing is refused, with what to do', () => {
  test('without Citus (G2)', async () => {
    expect(await refusal(dataSource)).toMatch(/no Citus: install it on every server/);
  });

  test('beside partitions, and before there are tables (G2)', async () => {
    for (const [options, words] of [
      [{ partitioned: true }, /waymark\.partitions/],
      [{ empty: true }, /migrate up/],
    ] as const) {
      const other = await createTestDatabase(options);
      expect(await refusal(await other.connect())).toMatch(words);
      await other.drop();
    }
  });
});

describe('tables are distributed, on a server that passes for one with Citus', () => {
  let one: TestDatabase;
  let there: DataSource;
  beforeEach(async () => {
    one = await createTestDatabase({ empty: true });
    await rehearseCitus(one.url);
    there = await one.connect();
    await migrateUp(there);
  });
  afterEach(() => one.drop());

  const found = () =>
    there.query<
      {
        name: string;
        method: string;
        key: string | null;
        together: number;
        shards: number | null;
      }[]
    >(
      `SELECT p.logicalrelid::text AS name, p.partmethod AS method, p.partkey AS key, p.colocationid AS together, c.shardcount AS shards
       FROM pg_dist_partition p LEFT JOIN pg_dist_colocation c USING (colocationid)`,
    );

  test('those of users lie together by user, groups by group elsewhere, all others whole on each server (G2)', async () => {
    const { distributed, copied } = await distributeTables(there, { shards: 12 });
    expect(distributed).toEqual(DISTRIBUTED);
    expect(copied).toEqual(REFERENCE_TABLES);
    const rows = await found();
    const placeOf = (table: string) => rows.find(({ name }) => name === table)!;
    for (const [table, key] of Object.entries(DISTRIBUTION_KEYS)) {
      expect(placeOf(table)).toMatchObject({ method: 'h', key, shards: 12 });
      expect(placeOf(table).together === placeOf('users').together).toBe(
        key === DISTRIBUTION_KEYS.users,
      );
    }
    for (const table of REFERENCE_TABLES)
      expect(placeOf(table)).toMatchObject({ method: 'n', key: null });
  });

  test('endpoints are named before, and are listed as ended afterwards (G4, E6)', async () => {
    const { id } = await getEnvironment(there, 'production');
    const by = { by: 'test' };
    await addEndpoint(there, id, { name: 'crm', url: 'https://crm.test/' }, by);
    expect(await listEndingEndpoints(there)).toEqual(['production: crm']);
    await distributeTables(there);
    expect(await listEndingEndpoints(there)).toEqual([]);
    expect(await listEndpoints(there.manager, id)).toMatchObject([
      { name: 'crm', state: 'ended', pauseReason: expect.stringContaining('no common order') },
    ]);
  });

  test('what is distributed already stays so, and what came since is added (G2)', async () => {
    await distributeTables(there);
    expect(await distributeTables(there)).toEqual({ distributed: [], copied: [] });
    await there.query(
      "DELETE FROM pg_dist_partition WHERE logicalrelid IN ('effects'::regclass, 'audit_log'::regclass)",
    );
    expect(await distributeTables(there)).toEqual({
      distributed: ['effects'],
      copied: ['audit_log'],
    });
    const rows = await found();
    expect(
      new Set(rows.filter(({ key }) => key === 'user_id').map(({ together }) => together)).size,
    ).toBe(1);
  });

  test('none is distributed where one cannot be, and nothing is lost (G2)', async () => {
    await there.query(
      "INSERT INTO users (user_id, environment_id, identifier) VALUES (gen_random_uuid(), gen_random_uuid(), 'ada')",
    );
    await there.query('CREATE UNIQUE INDEX effects_id ON effects (id)');
    expect(await refusal(there)).toMatch(/cannot create constraint on "effects"/);
    expect((await found()).filter(({ method }) => method === 'h')).toEqual([]);
    await there.query('DROP INDEX effects_id');
    expect((await distributeTables(there)).distributed).toEqual(DISTRIBUTED);
    expect(await there.query('SELECT identifier FROM users')).toEqual([{ identifier: 'ada' }]);
  });
});
