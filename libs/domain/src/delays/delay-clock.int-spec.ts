import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { card, defineFlow, delay } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { administer, createTestDatabase } from '@waymark/testing/postgres';
import { until } from '@waymark/testing/services';
import { DelayWorker } from './index.js';

const HOUR = 3_600_000;

let fixture: Fixture;
beforeAll(async () => {
  const database = await createTestDatabase();
  // A clock that can be set: `now()` without a schema is found here first.
  await administer(database.url, async (client) => {
    await client.query('CREATE SCHEMA clock CREATE TABLE jump (by interval NOT NULL)');
    await client.query("INSERT INTO clock.jump VALUES ('0')");
    await client.query(
      `CREATE FUNCTION clock.now() RETURNS timestamptz STABLE LANGUAGE sql
       AS 'SELECT pg_catalog.now() + by FROM clock.jump'`,
    );
    await client.query(
      `ALTER DATABASE ${database.name} SET search_path = clock, pg_catalog, public`,
    );
  });
  fixture = await Fixture.open({ database });
});
afterAll(() => fixture.close());

const jumpTo = (hours: number) =>
  fixture.dataSource.query('UPDATE clock.jump SET by = make_interval(mins => $1)', [hours * 60]);
const enter = async (user: string) => {
  await fixture.identify(user);
  await fixture.read(user, 'away');
};
/** Who went on, one entry each time. */
const continued = async (): Promise<string[]> => {
  const rows: { identifier: string }[] = await fixture.dataSource.query(
    "SELECT identifier FROM flow_events JOIN users USING (user_id) WHERE origin = 'delay'",
  );
  return rows.map(({ identifier }) => identifier).sort();
};
/** Whether anything is due, as the database has it. */
const isDue = async (): Promise<boolean> => {
  const [{ due }] = await fixture.dataSource.query(
    'SELECT count(*)::int AS due FROM delays WHERE due_at <= now()',
  );
  return due > 0;
};

test('delays go on once each by a clock of the database that jumps ahead and back (Z4)', async () => {
  await fixture.commit(
    defineFlow({ flow: 'away', blocks: { wait: delay('then', HOUR), then: card() } }),
  );
  await enter('first');
  const replicas = [fixture, await fixture.replica()].map(
    ({ database, runner, catalogue }) =>
      new DelayWorker(database, runner, catalogue, { pollMs: 10 }),
  );
  for (const replica of replicas) replica.start();
  await jumpTo(2);
  await until(async () => (await continued()).length === 1);
  await enter('ahead');
  await jumpTo(-5);
  await enter('behind');
  await jumpTo(-3.5);
  await until(async () => (await continued()).length === 2);
  expect(await isDue()).toBe(false);
  expect(await continued()).toEqual(['behind', 'first']);
  await jumpTo(3.5);
  await until(async () => (await continued()).length === 3);
  await jumpTo(0);
  await Promise.all(replicas.map((replica) => replica.stop()));
  expect(await continued()).toEqual(['ahead', 'behind', 'first']);
  expect(await fixture.dataSource.query('SELECT FROM delays')).toEqual([]);
});
