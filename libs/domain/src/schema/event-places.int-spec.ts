import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@waymark/testing/postgres';
import type { DataSource } from 'typeorm';
import { Database } from '../database/index.js';
import { areEventPlacesAhead, migrateUp } from './index.js';

let database: TestDatabase;
let dataSource: DataSource;
beforeEach(async () => {
  database = await createTestDatabase();
  dataSource = await database.connect();
});
afterEach(() => database.drop());

const write = (revision: number) =>
  dataSource.query(
    `INSERT INTO flow_events (user_id, flow, version, revision, event) VALUES ('00000000-0000-0000-0000-000000000001', 'f', 1, $1, '{}') RETURNING place`,
    [revision],
  ) as Promise<[{ place: string }]>;
const areAhead = () => areEventPlacesAhead(new Database(dataSource));

test('events of a cluster that counted further are seen, and new ones are moved behind them (E2)', async () => {
  await write(1);
  expect(await areAhead()).toBe(false);
  await dataSource.query('UPDATE flow_events SET place = place + 8000000000');
  expect(await areAhead()).toBe(true);
  await migrateUp(dataSource);
  expect(await areAhead()).toBe(false);
  const [{ place: old }] = (await dataSource.query('SELECT place FROM flow_events')) as [
    { place: string },
  ];
  const [{ place }] = await write(2);
  expect(BigInt(place)).toBeGreaterThan(BigInt(old));
  await migrateUp(dataSource);
  const [{ place: next }] = await write(3);
  expect(BigInt(next) - BigInt(place)).toBeLessThan(1_000_000n);
});

test('so are places that endpoints wait at (E2)', async () => {
  await dataSource.query(
    `WITH made AS (INSERT INTO endpoints (environment_id, name, url, format) SELECT id, 'e', 'http://x/', 'standard' FROM environments LIMIT 1 RETURNING id)
     INSERT INTO endpoint_progress (endpoint_id, place, user_id, flow, version, revision)
     SELECT id, 9000000000, '00000000-0000-0000-0000-000000000000', '', 0, 0 FROM made`,
  );
  expect(await areAhead()).toBe(true);
  await migrateUp(dataSource);
  expect(await areAhead()).toBe(false);
  const [{ place }] = await write(1);
  expect(BigInt(place)).toBeGreaterThan(9_000_000_000n);
});
