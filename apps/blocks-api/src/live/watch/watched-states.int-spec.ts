import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Database } from '@waymark/domain/database';
import type { Announcement, BlockView, FlowView } from '@waymark/domain/states';
import { userId } from '@waymark/domain/users';
import { deleteUser } from '@waymark/domain/records';
import { ClientAddresses, RateLimiter } from '@waymark/service-kit/limits';
import { card, defineFlow } from '@waymark/testing/builders';
import { until } from '@waymark/testing/services';
import { Fixture } from '@waymark/testing/fixture';
import pino from 'pino';
import { ChangeReader } from '../read/change-reader.js';
import type { PushIn } from '../push/push.js';
import { SnapshotReader } from '../read/snapshot-reader.js';
import { WatchedStates } from './watched-states.js';
import { Watcher } from '../push/watcher.js';

/** Answers of the statement for changes wait while it is held. */
class HeldDatabase extends Database {
  held: Promise<void> | undefined;
  /** Answers that wait or waited. */
  arrived = 0;

  override run: Database['run'] = async (statement, values) => {
    const rows = await super.run<never>(statement, values);
    if (statement.name === 'load_watched_changes' && this.held) {
      this.arrived++;
      await this.held;
    }
    return rows;
  };

  /** Returns how to let go. */
  hold(): () => void {
    let release!: () => void;
    this.held = new Promise((resolve) => (release = resolve));
    return () => {
      this.held = undefined;
      release();
    };
  }
}

/** Notes the active blocks of every push, or what the flow is without any. */
class NotingWatcher extends Watcher {
  readonly shown: string[] = [];

  override sendPush(push: PushIn): void {
    const { blocks, flow } = push(undefined);
    const shown = Object.values(JSON.parse(blocks) as Record<string, BlockView>);
    const active = shown.flatMap(({ sid, state }) => (state.active ? [sid] : []));
    this.shown.push(
      active.join() || ((JSON.parse(flow) as FlowView).state.stopped ? 'stopped' : 'nothing'),
    );
  }

  override sendSnapshot(push: PushIn): number {
    this.sendPush(push);
    return 0;
  }
}

let fixture: Fixture;
let database: HeldDatabase;
let states: WatchedStates;
let watcher: NotingWatcher;
let user: string;
let count = 0;

beforeAll(async () => {
  fixture = await Fixture.open();
  const blocks = {
    one: card({ complete: 'two' }),
    two: card({ complete: 'three' }),
    three: card(),
  };
  await fixture.commit(defineFlow({ flow: 'f', blocks }));
  await fixture.commit(defineFlow({ flow: 'later', blocks: { first: card(), second: card() } }));
});
afterAll(() => fixture.close());
beforeEach(async () => {
  user = `user-${++count}`;
  await fixture.identify(user);
  await fixture.read(user, 'f');
  const logger = pino({ level: 'silent' });
  database = new HeldDatabase(fixture.dataSource);
  const changes = new ChangeReader(database, fixture.catalogue, logger);
  const limiter = new RateLimiter({
    rates: { perAddress: 1_000, perSecretKey: 1_000 },
    addresses: new ClientAddresses(() => false),
    isSecret: () => false,
    onLimited: () => undefined,
  });
  const snapshots = new SnapshotReader(fixture.catalogue, fixture.runner, changes, limiter, logger);
  states = new WatchedStates(snapshots, changes);
  const socket = { conn: { writeBuffer: [], transport: {} } } as never;
  const actor = { environmentId: fixture.environmentId, user };
  const caller = { environmentId: fixture.environmentId, keyId: 'k', isSecret: false };
  const viewer = {
    actor,
    userId: userId(fixture.environmentId, user),
    caller,
    address: '203.0.113.7',
  };
  watcher = new NotingWatcher(viewer, socket, () => undefined);
  await watch();
});

async function watch(flow = 'f', version = 1): Promise<void> {
  const before = watcher.shown.length;
  states.watch(watcher, { flow, version });
  await until(() => watcher.shown.length > before);
}
const announce = (revision: number) =>
  states.receive([
    { userId: userId(fixture.environmentId, user), flow: 'f', version: 1, revision },
  ]);

test('a change that was read before a newer snapshot is not shown after it, but read again (L8)', async () => {
  const release = database.hold();
  announce((await fixture.take(user, 'f', 1, 'one', ['complete'])).revision);
  await until(() => database.arrived > 0);
  const { revision } = await fixture.take(user, 'f', 1, 'two', ['complete']);
  await watch();
  announce(revision);
  release();
  await watch();
  expect(watcher.shown).toEqual(['f.one', 'f.three', 'f.three']);
});

test('a user who was deleted and made again is shown as they are, though the revision is the same (L5)', async () => {
  const gone: Announcement[] = [];
  const changes = { announce: (state: Announcement) => void gone.push(state) };
  await deleteUser(fixture.dataSource, fixture.environmentId, user, changes, { by: 'test' });
  await fixture.identify(user);
  const { revision } = await fixture.run(user, 'f', 1, { kind: 'stop' });
  expect(revision).toBe(1);
  states.receive(gone);
  announce(revision);
  await until(() => watcher.shown.length > 1);
  expect(watcher.shown).toEqual(['f.one', 'stopped']);
});

test('a state that nobody had when it was watched is shown once somebody has, by announcement or sweep (L5)', async () => {
  await watch('later');
  expect([watcher.shown.at(-1), states.size]).toEqual(['nothing', 2]);
  await fixture.read(user, 'later');
  states.receive([
    { userId: userId(fixture.environmentId, user), flow: 'later', version: 1, revision: 1 },
  ]);
  await until(() => watcher.shown.length > 2);
  const [, , shown] = watcher.shown;
  expect(shown).toContain('later.');

  const other = new NotingWatcher(
    { ...watcher.viewer, actor: { ...watcher.viewer.actor, user: `${user}-other` } },
    { conn: { writeBuffer: [], transport: {} } } as never,
    () => undefined,
  );
  Object.assign(other.viewer, { userId: userId(fixture.environmentId, `${user}-other`) });
  await fixture.identify(`${user}-other`);
  states.watch(other, { flow: 'later', version: 1 });
  await until(() => other.shown.length > 0);
  states.sweep();
  await fixture.read(`${user}-other`, 'later');
  await until(() => {
    states.sweep();
    return other.shown.length > 1;
  });
  expect(other.shown).toEqual(['nothing', shown]);
  states.unwatchAll(other);
  states.unwatchAll(watcher);
  expect([states.size, states.versions()]).toEqual([0, []]);
});

test('a state that runs past the end of its flow is stopped by a sweep, and shown so (Z8)', async () => {
  const season = defineFlow({ flow: 'season', blocks: { only: card() } });
  await fixture.apply(season);
  await fixture.read(user, 'season', 0);
  await watch('season', 0);
  expect(watcher.shown.at(-1)).toBe('season.only');
  await fixture.apply({ ...season, format: 2, end: '2020-01-01' });
  states.sweep();
  await until(() => watcher.shown.at(-1) === 'stopped');
});
