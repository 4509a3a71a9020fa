import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { administer, createTestDatabase, type TestDatabase } from '@waymark/testing/postgres';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { loadMigrationStatus, migrateDown, migrateUp } from './index.js';

const NAME = 'EventPlace1790000000030';

/** What a service of the release before writes; it runs on while the schema is migrated. */
const OLD_WRITE = `
  WITH state AS (
    INSERT INTO flow_states (user_id, flow, version, revision, edition, state) VALUES ($1, 'old', 1, 1, 1, '{}') RETURNING user_id
  ) INSERT INTO flow_events (user_id, flow, version, revision, event) SELECT user_id, 'old', 1, 1, '{}' FROM state`;
const OLD_READ = 'SELECT event FROM flow_events WHERE user_id = $1 ORDER BY revision';

describe.each([
  { shape: 'plain', partitioned: false, many: 1_000_000 },
  { shape: 'hash-partitioned', partitioned: true, many: 100_000 },
])('places for the events of a $shape table', ({ partitioned, many }) => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createTestDatabase({ partitioned });
    dataSource = await database.connect();
    for (let status = await loadMigrationStatus(dataSource); status.applied.includes(NAME);)
      status = await migrateDown(dataSource);
  });
  afterEach(() => database.drop());

  const fill = (count: number) =>
    dataSource.query(
      `INSERT INTO flow_events (user_id, flow, version, revision, event)
       SELECT md5((n / 10)::text)::uuid, 'old', 1, n % 10 + 1, '{"format":1,"cause":{"kind":"stop"},"changes":[]}' FROM generate_series(0, $1 - 1) n`,
      [count],
    );
  const indexes = async () => {
    const rows: { valid: boolean }[] = await dataSource.query(
      `SELECT indisvalid AS valid FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE relname LIKE '%flow_events_by_place'`,
    );
    return rows.map(({ valid }) => valid);
  };
  const all = partitioned ? 5 : 1;

  test('are one for the old events and growing for new ones, without a second column default (E1)', async () => {
    await fill(100);
    await migrateUp(dataSource);
    await dataSource.query(OLD_WRITE, [randomUUID()]);
    await dataSource.query(OLD_WRITE, [randomUUID()]);
    const rows: { place: string; count: string }[] = await dataSource.query(
      'SELECT place, count(*) FROM flow_events GROUP BY place ORDER BY place',
    );
    expect(rows.map(({ count }) => count)).toEqual(['100', '1', '1']);
    expect(await indexes()).toEqual(Array(all).fill(true));
  });

  test(`come to a table of ${many} events in use: nobody waits longer than 500 ms, nothing fails (R15, E4)`, async () => {
    await fill(many);
    const load = await startLoad(database.url);
    const reader = await holdReader(database.url);
    const migrated = migrateUp(dataSource);
    // Somebody reads on for a while: the new columns have to wait, and must not let others wait for
    // that.
    await load.progress(50);
    await reader.end();
    await migrated;
    await load.progress(50);
    expect(await load.stop()).toEqual([]);
    expect(await indexes()).toEqual(Array(all).fill(true));
  });

  test('are made good when the migration was killed in the middle (R15)', async () => {
    await migrateUp(dataSource);
    const part = partitioned ? 'flow_events_0' : 'flow_events';
    const index = partitioned ? 'flow_events_0_flow_events_by_place' : 'flow_events_by_place';
    await dataSource.query('DROP INDEX flow_events_by_place');
    await dataSource.query(`CREATE INDEX ${index} ON ${part} (place, user_id)`);
    await dataSource.query(
      `UPDATE pg_index SET indisvalid = false WHERE indexrelid = '${index}'::regclass`,
    );
    await dataSource.query('DELETE FROM migrations WHERE name = $1', [NAME]);
    await migrateUp(dataSource);
    expect(await indexes()).toEqual(Array(all).fill(true));
  });
});

/** A transaction that has read the events and stays open. */
async function holdReader(url: string): Promise<{ end(): Promise<void> }> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let begun = () => {};
  const isOpen = new Promise<void>((resolve) => (begun = resolve));
  const over = administer(url, async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT FROM flow_events LIMIT 1');
    begun();
    await released;
    await client.query('COMMIT');
  });
  await isOpen;
  return { end: () => (release(), over) };
}

/**
 * Four clients that write and read back, none of which waits longer for a lock than the rule
 * allows: it fails instead.
 */
async function startLoad(url: string) {
  const failures: unknown[] = [];
  const told: (() => void)[] = [];
  let done = 0;
  let isOver = false;
  const work = async (client: pg.Client) => {
    await client.query("SET lock_timeout = '500ms'");
    while (!isOver) {
      const user = randomUUID();
      try {
        await client.query(OLD_WRITE, [user]);
        const { rowCount } = await client.query(OLD_READ, [user]);
        if (rowCount !== 1) failures.push(`${rowCount} events`);
      } catch (error) {
        failures.push((error as Error).message);
      }
      done++;
      for (const tell of told.splice(0)) tell();
    }
  };
  const clients = Array.from({ length: 4 }, () => administer(url, work));
  return {
    progress: async (count: number) => {
      for (const wanted = done + count; done < wanted;)
        await new Promise<void>((resolve) => told.push(resolve));
    },
    stop: async () => {
      isOver = true;
      await Promise.all(clients);
      return failures;
    },
  };
}
