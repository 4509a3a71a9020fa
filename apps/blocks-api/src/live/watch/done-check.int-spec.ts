import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Database } from '@waymark/domain/database';
import { userId } from '@waymark/domain/users';
import { Admission, ClientAddresses, RateLimiter } from '@waymark/service-kit/limits';
import { card, defineFlow, doneBy } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { until } from '@waymark/testing/services';
import pino from 'pino';
import { Watcher } from '../push/watcher.js';
import { ChangeReader } from '../read/change-reader.js';
import { SnapshotReader } from '../read/snapshot-reader.js';
import { DoneCheck } from './done-check.js';
import { WatchedStates } from './watched-states.js';

/** More than one turn reads. */
const users = Array.from({ length: 600 }, (_, index) => `user-${index}`);
const changed = users.at(-1)!;

class CountingDatabase extends Database {
  statements = 0;

  override run: Database['run'] = (statement, values) => {
    this.statements++;
    return super.run<never>(statement, values);
  };
}

class CountingWatcher extends Watcher {
  static shown = 0;

  override sendPush(): void {
    CountingWatcher.shown++;
  }

  override sendSnapshot(): number {
    return ++CountingWatcher.shown;
  }
}

let fixture: Fixture;
let database: CountingDatabase;
let states: WatchedStates;
let openCheck: () => DoneCheck;
beforeAll(async () => {
  fixture = await Fixture.open();
  const when = 'now() > date("2020-01-01") AND user.properties.ready';
  await fixture.commit(
    defineFlow({ flow: 'todo', blocks: { a: doneBy(when, card({ complete: 'b' })), b: card() } }),
  );
  await fixture.commit(defineFlow({ flow: 'plain', blocks: { c: card() } }));
  await fixture.identifyAll(users, () => ({}));
  const { catalogue, runner } = fixture;
  database = new CountingDatabase(fixture.dataSource);
  const logger = pino({ level: 'silent' });
  const changes = new ChangeReader(database, catalogue, logger);
  const limiter = new RateLimiter({
    rates: { perAddress: 10_000, perSecretKey: 10_000 },
    addresses: new ClientAddresses(() => false),
    isSecret: () => false,
    onLimited: () => undefined,
  });
  const snapshots = new SnapshotReader(catalogue, runner, changes, limiter, logger);
  states = new WatchedStates(snapshots, changes);
  const nothing = () => undefined;
  const idle = new Admission({
    ...{ maxRunning: 1, maxWaiting: 1, patienceMs: 1, maxBodyBytes: 1, maxUnreadBytes: 1 },
    ...{ readTimeoutMs: 1, bypasses: () => true, isLimited: () => false, onOverload: nothing },
    ...{ refuseLimited: nothing, refuseOverload: nothing, onCut: nothing },
  });
  openCheck = () =>
    new DoneCheck(states, catalogue, runner, database, idle, { poolSize: 10 }, logger);
});
afterAll(() => fixture.close());

/** All of them start the flow and have a page that shows it. */
async function watch(flow: string): Promise<void> {
  await Promise.all(users.map((user) => fixture.read(user, flow)));
  const before = CountingWatcher.shown;
  for (const user of users) states.watch(watcherOf(user), { flow, version: 1 });
  await until(() => CountingWatcher.shown === before + users.length);
}

function watcherOf(user: string): Watcher {
  const { environmentId } = fixture;
  const viewer = {
    actor: { environmentId, user },
    userId: userId(environmentId, user),
    caller: { environmentId, keyId: 'k', isSecret: false },
    address: '203.0.113.7',
  };
  const socket = { conn: { writeBuffer: [], transport: {} } } as never;
  return new CountingWatcher(viewer, socket, () => undefined);
}

const doneByThemselves = (): Promise<{ user: string }[]> =>
  fixture.dataSource.query(
    `SELECT u.identifier AS user FROM flow_events e JOIN users u USING (user_id)
     WHERE e.origin = 'condition' ORDER BY e.place`,
  );

test('nothing is asked for flows without `done`, however many watch them (Z1, P7)', async () => {
  await watch('plain');
  const before = database.statements;
  const check = openCheck();
  check.start();
  await check.stop();
  expect(database.statements).toBe(before);
});

test('whose user was changed is read before those whose conditions only ask for the time (Z1)', async () => {
  await watch('todo');
  await fixture.identifyAll(users, () => ({ ready: true }));
  // As if all but one had been so for long.
  await fixture.dataSource.query(
    "UPDATE users SET updated_at = now() - CASE identifier WHEN $1 THEN interval '0' ELSE interval '1 hour' END",
    [changed],
  );
  const check = openCheck();
  check.start();
  await until(async () => (await doneByThemselves()).length === users.length);
  await check.stop();
  const order = (await doneByThemselves()).map(({ user }) => user);
  expect(order.indexOf(changed)).toBeLessThan(100);
});
