import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DatabaseStateChanges, RunCommand } from '@waymark/domain/states';
import { custom, defineFlow } from '@waymark/testing/builders';
import { type FaultProxy, startFaultProxy } from '@waymark/testing/fault-proxy';
import { freePort } from '@waymark/testing/ports';
import { call, until } from '@waymark/testing/services';
import type { LiveClient } from './live-client.js';
import { LiveReplicas } from './live-replicas.js';

const onboarding = defineFlow({
  blocks: { counter: custom({ again: 'counter', done: 'finish' }) },
});
const BUS_CONNECTIONS =
  "SELECT pid FROM pg_stat_activity WHERE application_name = 'blocks-api live bus' AND datname = current_database()";

let user: string;
let count = 0;
beforeEach(() => void (user = `user-${++count}`));

/** A tab on every replica, with its snapshot. */
async function tabs(live: LiveReplicas): Promise<LiveClient[]> {
  await live.fixture.identify(user);
  await live.get(`/v2/flow/onboarding?userIdentifier=${user}&version=1`);
  const clients = await Promise.all(live.services.map(({ url }) => live.connect(user, { url })));
  for (const client of clients) await client.watch('onboarding');
  return clients;
}
const expectDone = async (clients: readonly LiveClient[]) => {
  for (const client of clients)
    await client.until('u-counter', (block) => block.transitioned['done'] === true);
};
const isConnected = async (live: LiveReplicas, replica: number) =>
  (await call({ url: live.services[replica]!.metricsUrl }, 'GET /metrics')).text.includes(
    'waymark_live_bus_connected{service="blocks-api"} 1',
  );

describe('the bus on PostgreSQL', () => {
  let live: LiveReplicas;
  let proxy: FaultProxy;
  beforeAll(async () => {
    live = await LiveReplicas.open(2);
    const database = new URL(live.fixture.testDatabase.url);
    proxy = await startFaultProxy({ host: database.hostname, port: Number(database.port) });
    await live.commit(onboarding);
  });
  afterAll(async () => {
    await live.close();
    await proxy.close();
  });

  test('has one connection per replica, and what happens while it is lost is shown when it is back (L5, R3)', async () => {
    const clients = await tabs(live);
    await until(
      async () => (await live.fixture.dataSource.query<object[]>(BUS_CONNECTIONS)).length === 2,
    );
    for (let round = 0; round < 5; round++) {
      await live.fixture.dataSource.query(
        `SELECT pg_terminate_backend(pid) FROM (${BUS_CONNECTIONS}) AS bus`,
      );
      await live.transition(user, 'u-counter', [round < 4 ? 'again' : 'done'], round % 2);
    }
    await expectDone(clients);
    const pids = live.services.map(({ process }) => process.exitCode);
    expect(pids).toEqual([null, null]);
  });

  test('a connection into nowhere is noticed, HTTP is unaffected, and watchers catch up (L5, R4)', async () => {
    await live.add({ LIVE_DATABASE_URL: proxy.through(live.fixture.testDatabase.url) });
    const clients = await tabs(live);
    proxy.set({ kind: 'black-hole' });
    expect((await live.transition(user, 'u-counter', ['done'], 0)).status).toBe(204);
    await expectDone(clients.slice(0, 2));
    await until(async () => !(await isConnected(live, 2)));
    proxy.heal();
    await expectDone(clients.slice(2));
  });
});

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
const describeWithRedis = hasRedis ? describe : describe.skip;
if (!hasRedis)
  process.stderr.write(
    'live updates over Redis are not tested: no redis-server here (apt-get install redis-server)\n',
  );

describeWithRedis('the bus on Redis', () => {
  let live: LiveReplicas;
  let folder: string;
  let port: number;
  let redis: ReturnType<typeof spawn>;

  const startRedis = async () => {
    redis = spawn('redis-server', [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--dir',
      folder,
    ]);
    await once(redis.stdout!, 'data');
  };
  const stopRedis = async () => {
    redis.kill('SIGKILL');
    await once(redis, 'exit');
  };

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'waymark-redis-'));
    port = await freePort();
    await startRedis();
    live = await LiveReplicas.open(2, {
      LIVE_BUS: 'redis',
      REDIS_URL: `redis://127.0.0.1:${port}`,
    });
    await live.commit(onboarding);
  });
  afterAll(async () => {
    await live.close();
    await stopRedis();
    await rm(folder, { recursive: true, force: true });
  });

  test('carries changes between replicas (L5)', async () => {
    const clients = await tabs(live);
    await live.fixture.dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM (${BUS_CONNECTIONS}) AS bus`,
    );
    await live.transition(user, 'u-counter', ['done'], 0);
    await expectDone(clients);
  });

  test("carries what the operator's command announces by PostgreSQL too (L5)", async () => {
    await until(async () => (await isConnected(live, 0)) && (await isConnected(live, 1)));
    const clients = await tabs(live);
    const { database, catalogue, environmentId } = live.fixture;
    const changes = new DatabaseStateChanges(database);
    const runner = new RunCommand(database, catalogue, changes);
    const flow = await catalogue.getFlow('onboarding', 1);
    await runner.run(flow, { environmentId, user }, { kind: 'stop' });
    await changes.flush();
    for (const client of clients) expect((await client.nextPush()).flow.state.stopped).toBe(true);
  });

  test('when Redis is gone HTTP is unaffected, and watchers catch up when it is back (L5)', async () => {
    const clients = await tabs(live);
    await stopRedis();
    await until(async () => !(await isConnected(live, 0)) && !(await isConnected(live, 1)));
    expect((await live.transition(user, 'u-counter', ['done'], 0)).status).toBe(204);
    await clients[0]!.until('u-counter', (block) => block.transitioned['done'] === true);
    await startRedis();
    await expectDone(clients.slice(1));
  });
});
