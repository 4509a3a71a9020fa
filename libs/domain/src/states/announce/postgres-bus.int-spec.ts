import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@waymark/testing/postgres';
import { until } from '@waymark/testing/services';
import type pg from 'pg';
import type { Announcement } from './live-bus.js';
import { NOTIFY, PostgresBus } from './postgres-bus.js';

const CHANGE = {
  userId: '6f1f2c1e-0f3b-4f5e-9d0a-111111111111',
  flow: 'onboarding',
  version: 1,
  revision: 7,
};

/** The connection of a bus, of which only its own code should know. */
const clientOf = (bus: PostgresBus) =>
  (bus as unknown as { client: pg.Client & { connection: { stream: { destroy(): void } } } })
    .client;

let database: TestDatabase;
let buses: PostgresBus[];

beforeAll(async () => {
  database = await createTestDatabase();
  const dataSource = await database.connect();
  await dataSource.query(`ALTER DATABASE "${database.name}" SET synchronous_commit = on`);
  buses = ['one', 'other'].map(
    (name) => new PostgresBus({ url: database.url, applicationName: name }),
  );
  for (const bus of buses) bus.start();
  await until(() => buses.every((bus) => bus.isConnected));
});
afterAll(async () => {
  for (const bus of buses) await bus.close();
  await database.drop();
});

test('what was announced while the connection broke is sent on the next one (L8)', async () => {
  const [one, other] = buses as [PostgresBus, PostgresBus];
  const heard: Announcement[] = [];
  other.subscribe((announcements) => heard.push(...announcements));
  one.announce(CHANGE);
  clientOf(one).connection.stream.destroy();
  await until(() => heard.length > 0);
  expect(heard).toEqual([CHANGE]);
});

test('its connection stays as durable as it was, for a pooler would give it to others (U7)', async () => {
  const client = clientOf(buses[0]!);
  await client.query(NOTIFY, [['{}']]);
  expect((await client.query('SHOW synchronous_commit')).rows).toEqual([
    { synchronous_commit: 'on' },
  ]);
});
