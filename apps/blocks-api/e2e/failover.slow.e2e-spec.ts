import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { poolOf } from '@waymark/domain/database';
import { createKey } from '@waymark/domain/access';
import { createDataSource, migrateUp } from '@waymark/domain/schema';
import type { FlowView } from '@waymark/domain/states';
import { custom, defineFlow } from '@waymark/testing/builders';
import { findPrograms, PatroniCluster, type Programs } from '@waymark/testing/failover';
import {
  type Answer,
  call,
  IN_TIME,
  spawnService,
  type SpawnedService,
  until,
} from '@waymark/testing/services';
import type { LiveClient } from './live-client.js';
import { LiveReplicas } from './live-replicas.js';

/** `FAILOVERS=3 node tools/test.mjs apps/blocks-api/e2e/failover` does it less often. */
const FAILOVERS = Number(process.env['FAILOVERS'] ?? 10);
const ALL_MS = 240_000 + FAILOVERS * 120_000;
/** How long a client pauses after a refusal, and between requests while the cluster recovers. */
const PAUSE_MS = 250;
const SETTINGS = { ...IN_TIME, LOG_LEVEL: 'info' };
const USERS = Array.from({ length: 8 }, (_, number) => `user-${number}`);

const programs = findPrograms();
const describeWithPatroni = 'missing' in programs ? describe.skip : describe;
if ('missing' in programs)
  process.stderr.write(`the test of failovers is skipped, it needs ${programs.missing}\n`);

const counting = defineFlow({
  flow: 'counting',
  blocks: { counter: custom({ again: 'counter' }) },
});

let cluster: PatroniCluster;
let live: LiveReplicas;
let users: SpawnedService;
let key: string;

/** Honest requests, repeated, and what was acknowledged of them. */
class Load {
  /** The highest revision that a user was sent. */
  readonly revisions = new Map<string, number>();
  readonly identified: string[] = [];
  /** Answers that were neither good nor a 503 with `Retry-After`. */
  readonly bad: string[] = [];
  refused = 0;
  /** True while the cluster recovers: clients then pause between requests. */
  isCalm = false;
  private good = 0;
  private isOver = false;
  private readonly workers: Promise<void>[];

  constructor() {
    this.workers = [
      ...USERS.map((user, number) => this.move(user, number % 2)),
      this.identify('first'),
      this.identify('second'),
    ];
  }

  /** Resolves after as many good answers more. */
  async proceed(count: number): Promise<void> {
    const goal = this.good + count;
    await until(() => this.good >= goal);
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.workers);
  }

  private async move(user: string, replica: number): Promise<void> {
    while (!this.isOver) {
      const answer = await this.ask(live.transition(user, 'u-counter', ['again'], replica));
      const revision = answer?.headers.get('x-waymark-revision');
      if (revision) this.revisions.set(user, Number(revision));
    }
  }

  private async identify(name: string): Promise<void> {
    for (let number = 0; !this.isOver; number++) {
      const identifier = `${name}-${number}`;
      if (await this.ask(call(users, 'POST /identify', { key, body: { identifier } })))
        this.identified.push(identifier);
    }
  }

  /** The answer, where it is good. */
  private async ask(asked: Promise<Answer>): Promise<Answer | undefined> {
    const answer = await asked;
    if (answer.status < 300) {
      this.good++;
      if (this.isCalm) await pause(PAUSE_MS);
      return answer;
    }
    if (answer.status === 503 && answer.headers.get('retry-after')) this.refused++;
    else this.bad.push(`${answer.method} ${answer.url} ${answer.status} ${answer.text}`);
    await pause(PAUSE_MS);
    return undefined;
  }
}

const newestRevisions = async () => {
  const rows = (await live.fixture.dataSource.query(
    `SELECT u.identifier, s.revision, (SELECT count(*)::int FROM flow_events e WHERE e.user_id = u.user_id AND e.flow = 'counting') AS events
     FROM users u JOIN flow_states s ON s.user_id = u.user_id AND s.flow = 'counting' WHERE u.identifier = ANY ($1)`,
    [USERS],
  )) as { identifier: string; revision: number; events: number }[];
  return new Map(rows.map(({ identifier, ...row }) => [identifier, row]));
};

/** The page has that revision, whenever it was sent. */
const untilShown = (client: LiveClient, revision: number) =>
  until(() =>
    client.told.some(
      ({ event, payload }) => event === 'flow' && (payload as FlowView).revision === revision,
    ),
  );

describeWithPatroni('PostgreSQL under Patroni, three servers, synchronous replication', () => {
  beforeAll(async () => {
    cluster = await PatroniCluster.start(programs as Programs);
    const timeouts = { statementTimeoutMs: 0, connectTimeoutMs: 5_000, answerTimeoutMs: 0 };
    const open = () =>
      createDataSource({
        url: cluster.url,
        poolSize: 2,
        applicationName: 'waymark-test',
        ...timeouts,
      }).initialize();
    const dataSource = await open();
    poolOf(dataSource).on('error', () => undefined);
    await migrateUp(dataSource);
    key = (
      await createKey(dataSource, { environment: 'development', kind: 'users' }, { by: 'test' })
    ).key;
    const database = {
      url: cluster.url,
      name: 'postgres',
      connect: () => Promise.resolve(dataSource),
      drop: () => dataSource.destroy(),
    };
    live = await LiveReplicas.open(2, SETTINGS, database);
    users = await spawnService('users-api', { ...SETTINGS, DATABASE_URL: cluster.url });
    await live.commit(counting);
    for (const user of USERS) await live.fixture.identify(user);
  }, ALL_MS);
  afterAll(async () => {
    await users?.stop();
    await live?.close();
    await cluster?.remove();
  }, ALL_MS);

  test(
    `loses nothing that was acknowledged when the leader is killed ${FAILOVERS} times under load, and says 503 meanwhile (R16)`,
    async () => {
      for (const user of USERS)
        await until(
          async () =>
            (await live.get(`/v2/flow/counting?userIdentifier=${user}&version=1`)).status === 200,
        );
      const clients = await Promise.all(
        USERS.map((user, number) => live.connect(user, { url: live.url(number % 2) })),
      );
      await Promise.all(clients.map((client) => client.watch('counting')));
      const load = new Load();
      try {
        for (let failover = 0; failover < FAILOVERS; failover++) {
          await load.proceed(100);
          const killed = await cluster.killLeader();
          await cluster.untilLedByAnother(killed);
          await load.proceed(100);
          load.isCalm = true;
          cluster.startNode(killed);
          await cluster.untilSafe();
          load.isCalm = false;
        }
      } finally {
        await load.stop();
      }

      const stored = await newestRevisions();
      for (const [user, revision] of load.revisions) {
        expect(stored.get(user)!.revision).toBeGreaterThanOrEqual(revision);
        expect(stored.get(user)).toMatchObject({ events: stored.get(user)!.revision });
      }
      const kept = (await live.fixture.dataSource.query('SELECT identifier FROM users')) as {
        identifier: string;
      }[];
      const identifiers = new Set(kept.map(({ identifier }) => identifier));
      expect(load.identified.filter((identifier) => !identifiers.has(identifier))).toEqual([]);
      expect(load.bad).toEqual([]);
      expect(load.refused).toBeGreaterThan(0);
      expect(
        clients.flatMap((client) => client.events()).filter((event) => event === 'disconnect'),
      ).toEqual([]);
      for (const [number, user] of USERS.entries())
        await untilShown(clients[number]!, stored.get(user)!.revision);
    },
    ALL_MS,
  );
});
