import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDataSource } from '@waymark/domain/schema';
import { custom, defineFlow } from '@waymark/testing/builders';
import { startThrowawayPostgres, type ThrowawayPostgres } from '@waymark/testing/postgres';
import { LiveReplicas } from './live-replicas.js';

/** `LIVE_RESTARTS=20 node tools/test.mjs apps/blocks-api/e2e/live-restart` does it more often. */
const RESTARTS = Number(process.env['LIVE_RESTARTS'] ?? 3);
const SOCKETS = 20;
const onboarding = defineFlow({ blocks: { counter: custom({ again: 'counter' }) } });

let server: ThrowawayPostgres;
let live: LiveReplicas;

beforeAll(async () => {
  server = await startThrowawayPostgres();
  const timeouts = { statementTimeoutMs: 0, connectTimeoutMs: 120_000, answerTimeoutMs: 0 };
  const dataSource = createDataSource({
    url: server.url,
    poolSize: 2,
    applicationName: 'waymark-test',
    ...timeouts,
  });
  const drop = async () => {
    await dataSource.destroy();
    await server.remove();
  };
  live = await LiveReplicas.open(
    2,
    {},
    { url: server.url, name: 'throwaway', connect: () => dataSource.initialize(), drop },
  );
  await live.commit(onboarding);
});
afterAll(() => live.close());

test('sockets outlive restarts of PostgreSQL: not one is closed, and changes are shown again on every replica (R3)', async () => {
  const users = Array.from({ length: SOCKETS }, (_, number) => `user-${number}`);
  for (const user of users) {
    await live.fixture.identify(user);
    await live.get(`/v2/flow/onboarding?userIdentifier=${user}&version=1`);
  }
  const clients = await Promise.all(
    users.map((user, number) => live.connect(user, { url: live.url(number % 2) })),
  );
  await Promise.all(clients.map((client) => client.watch('onboarding')));
  const processes = live.services.map(({ process }) => process.pid);

  for (let restart = 0; restart < RESTARTS; restart++) {
    await server.stop(restart % 2 === 0 ? 'fast' : 'immediate');
    expect((await live.transition(users[0]!, 'u-counter', ['again'])).status).toBe(503);
    await server.start();
    for (const [number, user] of users.entries()) await takeUntilAccepted(user, (number + 1) % 2);
    for (const client of clients) await client.nextPush();
  }
  expect(live.services.map(({ process }) => process.pid)).toEqual(processes);
  expect(live.services.map(({ process }) => process.exitCode)).toEqual([null, null]);
  expect(
    clients.flatMap((client) => client.events()).filter((event) => event === 'disconnect'),
  ).toEqual([]);
});

test('while PostgreSQL is away sockets come in, and have their snapshots when it is back (L1, L4, R3)', async () => {
  await live.fixture.identify('late');
  await live.get('/v2/flow/onboarding?userIdentifier=late&version=1');
  await server.stop();
  const known = await live.connect('late');
  known.socket.emit('watch:flow', 'onboarding', 1);
  const unknown = live.client('late', { key: 'blocks-new-to-this-replica' });
  expect(await unknown.next('disconnect')).toBe('transport close');
  await server.start();
  expect((await known.nextPush()).blocks['u-counter']?.state.active).toBe(true);
  expect((await unknown.next('connect_error')).message).toMatch(/valid blocks key/);
});

async function takeUntilAccepted(user: string, replica: number): Promise<void> {
  while ((await live.transition(user, 'u-counter', ['again'], replica)).status !== 204)
    await pause(50);
}
