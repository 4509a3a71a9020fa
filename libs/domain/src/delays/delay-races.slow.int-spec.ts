import { expect, test } from '@jest/globals';
import { card, defineFlow, delay, webhook } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { startThrowawayPostgres, type ThrowawayPostgres } from '@waymark/testing/postgres';
import { until } from '@waymark/testing/services';
import { DomainError } from '../database/errors/index.js';
import { fold } from '../engine/index.js';
import { createDataSource } from '../schema/index.js';
import { DelayWorker } from './index.js';

const USERS = 400;
const AT_ONCE = 20;

/** A millisecond is over at once. */
const waiting = (time = 1) =>
  defineFlow({
    flow: 'away',
    blocks: { wait: delay('tell', time), tell: webhook('then'), then: card() },
  });

type Restart = 'fast' | 'immediate' | 'kill';

interface Race {
  readonly replicas: readonly Fixture[];
  /** In the order in which their delays are due. */
  readonly users: readonly string[];
  /**
   * Has all that is due go on, on both replicas, until nothing is left; PostgreSQL restarts once
   * some did.
   */
  work(meanwhile?: Promise<void>): Promise<void>;
}

async function openReplica(url: string): Promise<Fixture> {
  const connect = () =>
    createDataSource({
      url,
      poolSize: 10,
      applicationName: 'delays',
      statementTimeoutMs: 0,
      connectTimeoutMs: 500,
      answerTimeoutMs: 0,
    }).initialize();
  return Fixture.open({
    database: { url, name: 'delays', connect, drop: () => Promise.resolve() },
  });
}

async function restart(server: ThrowawayPostgres, mode: Restart) {
  if (mode !== 'kill') return server.restart(mode);
  await server.kill();
  await server.start();
}

/**
 * Held ones are due in an hour; what a connection that was lost has claimed is due now, as if half
 * a minute had gone by.
 */
async function areLeft({ dataSource }: Fixture): Promise<boolean> {
  await dataSource.query(
    "UPDATE delays SET due_at = now() WHERE due_at BETWEEN now() AND now() + interval '1 minute'",
  );
  const [{ left }] = await dataSource.query(
    'SELECT count(*)::int AS left FROM delays WHERE due_at <= now()',
  );
  return left > 0;
}

/**
 * Calls back once an eighth of them went on; works until that and all else is done and nothing is
 * left.
 */
async function workOn(
  replicas: readonly Fixture[],
  meanwhile: Promise<void>,
  onEighth: () => Promise<void>,
): Promise<void> {
  let continued = 0;
  let restarted: Promise<void> | undefined;
  const workers = replicas.map(
    (replica) =>
      new DelayWorker(replica.database, replica.runner, replica.catalogue, {
        pollMs: 20,
        onOutcome: (_, outcome) => {
          if (outcome === 'continued' && ++continued >= USERS / 8) restarted ??= onEighth();
        },
      }),
  );
  for (const worker of workers) worker.start();
  await until(() => restarted !== undefined);
  await Promise.all([restarted, meanwhile]);
  await until(async () => !(await areLeft(replicas[0]!)));
  await Promise.all(workers.map((worker) => worker.stop()));
}

async function race(mode: Restart | 'nothing', run: (race: Race) => Promise<void>): Promise<void> {
  const server = await startThrowawayPostgres();
  try {
    const replicas = await Promise.all([openReplica(server.url), openReplica(server.url)]);
    const [fixture] = replicas;
    await fixture!.commit(waiting());
    const users = Array.from({ length: USERS }, (_, index) => `user-${index}`);
    await fixture!.identifyAll(users, () => ({}));
    await Promise.all(users.map((user) => fixture!.read(user, 'away')));
    await replicas[1]!.catalogue.refresh();
    const work = (meanwhile = Promise.resolve()) =>
      workOn(replicas, meanwhile, async () => {
        if (mode !== 'nothing') await restart(server, mode);
      });
    await run({ replicas, users, work });
    await Promise.all(replicas.map((replica) => replica.dataSource.destroy()));
  } finally {
    await server.remove();
  }
}

/** How often each user went on, in whatever version; every state is what its events lead to. */
async function countContinued({ dataSource }: Fixture): Promise<Map<string, number>> {
  const rows = await dataSource.query(
    `SELECT user_id AS user, s.state, json_agg(e.event ORDER BY e.revision) AS events,
       (SELECT count(*)::int FROM effects f WHERE f.user_id = s.user_id AND f.version = s.version) AS effects
     FROM flow_states s JOIN flow_events e USING (user_id, flow, version) GROUP BY s.user_id, s.flow, s.version`,
  );
  const counts = new Map<string, number>();
  for (const { user, state, events, effects } of rows) {
    expect(fold(events)).toEqual(state);
    const kinds = events.map(({ cause }: { cause: { kind: string } }) => cause.kind);
    const continued = kinds.filter((kind: string) => kind === 'continue').length;
    expect(effects).toBe(continued);
    counts.set(user, (counts.get(user) ?? 0) + continued);
  }
  return counts;
}

test.each(['fast', 'immediate', 'kill'] as const)(
  'delays that are due while PostgreSQL restarts (%s) go on once each, on two replicas (Z4, R2)',
  (mode) =>
    race(mode, async ({ replicas: [fixture], users, work }) => {
      await work();
      const counts = await countContinued(fixture!);
      expect(counts.size).toBe(users.length);
      expect(new Set(counts.values())).toEqual(new Set([1]));
    }),
);

/** As a page does: again, while there is no database. */
async function readUntilAnswered(replica: Fixture, user: string): Promise<void> {
  for (;;)
    try {
      await replica.read(user, 'away');
      return;
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'database.unavailable')) throw error;
    }
}

async function readAll({ replicas, users }: Race): Promise<void> {
  for (let first = 0; first < users.length; first += AT_ONCE) {
    const some = users.slice(first, first + AT_ONCE);
    await Promise.all(some.map((user, index) => readUntilAnswered(replicas[index % 2]!, user)));
  }
}

test.each(['nothing', 'nothing', 'nothing', 'fast', 'immediate', 'kill'] as const)(
  'delays that are due while their users are carried over, and %s restarts PostgreSQL, go on in one version (Z4, S28, R2)',
  (mode) =>
    race(mode, async (all) => {
      const { replicas, users, work } = all;
      const [fixture, other] = replicas;
      expect(await fixture!.commit(waiting(2))).toBe(2);
      await other!.catalogue.refresh();
      await work(readAll(all));
      const counts = await countContinued(fixture!);
      expect(counts.size).toBe(users.length);
      expect([...counts].filter(([, count]) => count !== 1)).toEqual([]);
    }),
  120_000,
);
