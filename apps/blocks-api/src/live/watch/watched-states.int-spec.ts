import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Database } from '@waymark/domain/database';
import type { Announcement, BlockView, FlowView } from '@waymark/domain/flow-states';
import { userId } from '@waymark/domain/users';
import { deleteUser } from '@waymark/domain/user-records';
import { Metrics } from '@waymark/service-kit/metrics';
import { RateLimits } from '@waymark/service-kit/overload';
import { card, defineFlow } from '@waymark/testing/builders';
import { until } from '@waymark/testing/services';
import { Stage } from '@waymark/testing/stage';
import pino from 'pino';
import { ChangeReader } from '../read/change-reader.js';
import type { Push } from '../push/push.js';
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

  override sendPush({ blocks, flow }: Push): void {
    const shown = Object.values(JSON.parse(blocks) as Record<string, BlockView>);
    const active = shown.flatMap(({ sid, state }) => (state.active ? [sid] : []));
    this.shown.push(active.join() || ((JSON.parse(flow) as FlowView).state.stopped ? 'stopped' : 'nothing'));
  }

  override sendSnapshot(push: Push): number {
    this.sendPush(push);
    return 0;
  }
}

let stage: Stage;
let database: HeldDatabase;
let states: WatchedStates;
let watcher: NotingWatcher;
let user: string;
let count = 0;

beforeAll(async () => {
  stage = await Stage.open();
  const blocks = { one: card({ complete: 'two' }), two: card({ complete: 'three' }), three: card() };
  await stage.commit(defineFlow({ flow: 'f', blocks }));
});
afterAll(() => stage.close());
beforeEach(async () => {
  user = `user-${++count}`;
  await stage.identify(user);
  await stage.read(user, 'f');
  const logger = pino({ level: 'silent' });
  database = new HeldDatabase(stage.dataSource);
  const changes = new ChangeReader(database, stage.catalogue, logger);
  const rates = new RateLimits({ perAddress: 1_000, perPublicKey: 1_000, perSecretKey: 1_000 });
  const snapshots = new SnapshotReader(stage.catalogue, stage.runner, changes, rates, new Metrics('test'), logger);
  states = new WatchedStates(snapshots, changes);
  const socket = { conn: { writeBuffer: [], transport: {} } } as never;
  const actor = { environmentId: stage.environmentId, user };
  const caller = { environmentId: stage.environmentId, keyId: 'k', isSecret: false };
  const viewer = { actor, userId: userId(stage.environmentId, user), caller, address: '203.0.113.7' };
  watcher = new NotingWatcher(viewer, socket, () => undefined);
  await watch();
});

async function watch(): Promise<void> {
  const before = watcher.shown.length;
  states.watch(watcher, { flow: 'f', version: 1 });
  await until(() => watcher.shown.length > before);
}
const announce = (revision: number) =>
  states.receive([{ userId: userId(stage.environmentId, user), flow: 'f', version: 1, revision }]);

test('a change that was read before a newer snapshot is not shown after it, but read again (L8)', async () => {
  const release = database.hold();
  announce((await stage.take(user, 'f', 1, 'one', ['complete'])).revision);
  await until(() => database.arrived > 0);
  const { revision } = await stage.take(user, 'f', 1, 'two', ['complete']);
  await watch();
  announce(revision);
  release();
  await watch();
  expect(watcher.shown).toEqual(['f.one', 'f.three', 'f.three']);
});

test('a user who was deleted and made again is shown as they are, though the revision is the same (L5)', async () => {
  const gone: Announcement[] = [];
  const changes = { announce: (state: Announcement) => void gone.push(state) };
  await deleteUser(stage.dataSource, stage.environmentId, user, changes, { by: 'test' });
  await stage.identify(user);
  const { revision } = await stage.run(user, 'f', 1, { kind: 'stop' });
  expect(revision).toBe(1);
  states.receive(gone);
  announce(revision);
  await until(() => watcher.shown.length > 1);
  expect(watcher.shown).toEqual(['f.one', 'stopped']);
});
