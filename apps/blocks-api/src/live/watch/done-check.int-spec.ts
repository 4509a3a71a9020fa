import { afterAll, beforeAll, expect, test } from '@jest/globals';
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

let fixture: Fixture;
let shown = 0;
beforeAll(async () => {
  fixture = await Fixture.open();
});
afterAll(() => fixture.close());

class CountingWatcher extends Watcher {
  override sendPush(): void {
    shown++;
  }

  override sendSnapshot(): number {
    return ++shown;
  }
}

function watcherOf(user: string): Watcher {
  const { environmentId } = fixture;
  const viewer = {
    actor: { environmentId, user },
    userId: userId(environmentId, user),
    caller: { environmentId, keyId: 'k', isSecret: false },
    address: '203.0.113.7',
  };
  return new CountingWatcher(
    viewer,
    { conn: { writeBuffer: [], transport: {} } } as never,
    () => undefined,
  );
}

const conditionEvents = (): Promise<{ user: string }[]> =>
  fixture.dataSource.query(
    `SELECT u.identifier AS user FROM flow_events e JOIN users u USING (user_id)
     WHERE e.origin = 'condition' ORDER BY e.place`,
  );

test('whose user was changed is read before those whose conditions only ask for the time (Z1)', async () => {
  const when = 'now() > date("2020-01-01") AND user.properties.ready';
  await fixture.commit(
    defineFlow({ flow: 'todo', blocks: { a: doneBy(when, card({ complete: 'b' })), b: card() } }),
  );
  await fixture.identifyAll(users, () => ({}));
  await Promise.all(users.map((user) => fixture.read(user, 'todo')));
  const { database, catalogue, runner, dataSource } = fixture;
  const logger = pino({ level: 'silent' });
  const changes = new ChangeReader(database, catalogue, logger);
  const limiter = new RateLimiter({
    rates: { perAddress: 10_000, perSecretKey: 10_000 },
    addresses: new ClientAddresses(() => false),
    isSecret: () => false,
    onLimited: () => undefined,
  });
  const states = new WatchedStates(
    new SnapshotReader(catalogue, runner, changes, limiter, logger),
    changes,
  );
  for (const user of users) states.watch(watcherOf(user), { flow: 'todo', version: 1 });
  await until(() => shown === users.length);
  await fixture.identifyAll(users, () => ({ ready: true }));
  // As if all but one had been so for long.
  await dataSource.query(
    "UPDATE users SET updated_at = now() - CASE identifier WHEN $1 THEN interval '0' ELSE interval '1 hour' END",
    [changed],
  );
  const nothing = () => undefined;
  const idle = new Admission({
    ...{ maxRunning: 1, maxWaiting: 1, patienceMs: 1, maxBodyBytes: 1, maxUnreadBytes: 1 },
    ...{ readTimeoutMs: 1, bypasses: () => true, isLimited: () => false, onOverload: nothing },
    ...{ refuseLimited: nothing, refuseOverload: nothing, onCut: nothing },
  });
  const check = new DoneCheck(states, catalogue, runner, database, idle, { poolSize: 10 }, logger);
  check.start();
  await until(async () => (await conditionEvents()).length === users.length);
  await check.stop();
  const order = (await conditionEvents()).map(({ user }) => user);
  expect(order.indexOf(changed)).toBeLessThan(100);
});
