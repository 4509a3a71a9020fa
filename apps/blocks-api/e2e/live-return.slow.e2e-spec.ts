import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { card, custom, defineFlow } from '@waymark/testing/builders';
import { startFaultProxy } from '@waymark/testing/fault-proxy';
import { until } from '@waymark/testing/services';
import { type Balancer, startBalancer } from './balancer.js';
import type { LiveClient } from './live-client.js';
import { LiveReplicas } from './live-replicas.js';

const onboarding = defineFlow({
  blocks: { counter: custom({ again: 'counter', done: 'finish' }) },
});
const tips = defineFlow({ flow: 'tips', blocks: { tip: card({ complete: 'finish' }) } });

let live: LiveReplicas;
let user: string;
let count = 0;

beforeAll(async () => {
  live = await LiveReplicas.open(1);
  await live.commit(onboarding, tips);
});
afterAll(() => live.close());
beforeEach(async () => {
  user = `user-${++count}`;
  await live.fixture.identify(user);
  await live.get(`/v2/flow/onboarding?userIdentifier=${user}&version=1`);
});

describe('a socket that comes back', () => {
  test('is told ready, and its watches stand with fresh snapshots, though it asks for nothing (L2, L4, L7)', async () => {
    const client = await live.connect(user);
    await client.watch('onboarding');
    await client.watch('tips');
    client.cut();
    await client.next('disconnect');
    await client.next('ready');
    const flows = [(await client.nextPush()).flow.sid, (await client.nextPush()).flow.sid];
    expect(flows.sort()).toEqual(['onboarding', 'tips']);
    await live.transition(user, 'u-counter', ['done']);
    expect((await client.nextPush()).blocks['u-counter']?.transitioned['done']).toBe(true);
  });

  test('misses nothing that happened while it was away, and returns again and again (L7)', async () => {
    const client = await live.connect(user, { reconnectionDelay: 100 });
    await client.watch('onboarding');
    for (let round = 0; round < 3; round++) {
      client.cut();
      await client.next('disconnect');
      await live.transition(user, 'u-counter', round < 2 ? ['again'] : ['done']);
      await client.next('ready');
      // Where it came back before the transition was made, its first snapshot knows nothing of
      // that.
      await client.until(
        'u-counter',
        (block) => block.transitioned[round < 2 ? 'again' : 'done'] === true,
      );
    }
  });

  test('has its watches though the database does not answer for a while, and the replica knows nothing yet (L7, R4)', async () => {
    const database = new URL(live.fixture.testDatabase.url);
    const proxy = await startFaultProxy({ host: database.hostname, port: Number(database.port) });
    const patience = { DATABASE_ANSWER_TIMEOUT_MS: '2000', DATABASE_CONNECT_TIMEOUT_MS: '2000' };
    const { url, lines } = await live.add({
      DATABASE_URL: proxy.through(database.href),
      ...patience,
    });
    proxy.set({ kind: 'black-hole' });
    const client = live.client(user, {
      url,
      auth: { 'x-api-key': live.key, pid: 'x', offset: 'tips@1' },
    });
    await client.next('ready');
    await until(() => lines.some((line) => line.includes('live updates wait for the database')));
    proxy.heal();
    expect((await client.nextPush()).flow.sid).toBe('tips');
    expect(client.events()).not.toContain('error');
    await proxy.close();
  });

  test('keeps its watches after an error, which takes the place of what the client brings back (L7)', async () => {
    const client = await live.connect(user);
    await client.watch('onboarding');
    client.socket.emit('watch:flow', 'nowhere', 1);
    await client.next('error');
    await client.next('watching');
    await client.next('watching');
    client.cut();
    await client.next('disconnect');
    await client.next('ready');
    expect((await client.nextPush()).flow.sid).toBe('onboarding');
  });

  test('cut off right after ready it still has them: its pid tells, too (L7)', async () => {
    const first = await live.connect(user);
    await first.watch('onboarding');
    const { _pid: pid, _lastOffset: offset } = first.socket as unknown as {
      _pid: string;
      _lastOffset: string;
    };
    const second = live.client(user, { auth: { 'x-api-key': live.key, pid, offset } });
    const returned = new Promise<string>((resolve) =>
      second.socket.once('ready', () =>
        resolve((second.socket as unknown as { _pid: string })._pid),
      ),
    );
    const third = live.client(user, {
      auth: { 'x-api-key': live.key, pid: await returned, offset: 'ready' },
    });
    expect((await third.nextPush()).flow.sid).toBe('onboarding');
  });

  test.each([
    '',
    'onboarding@1x',
    'a@1 '.repeat(2),
    '\u0000',
    'ready',
    7,
    { flow: 'onboarding' },
    ['onboarding@1'],
  ])('with the watches %j it watches nothing and is welcome (L7)', async (offset) => {
    const client = live.client(user, { auth: { 'x-api-key': live.key, pid: offset, offset } });
    await client.next('ready');
    expect((await client.watch('tips')).flow.sid).toBe('tips');
    expect(client.events()).toEqual(['ready', 'watching', 'blocks', 'flow']);
  });

  test('gets only what its key and user may see, whatever watches it brings (L7, R9)', async () => {
    await live.fixture.identify('other');
    const client = live.client('other', {
      auth: { 'x-api-key': live.key, pid: 'x', offset: 'onboarding@1' },
    });
    expect((await client.nextPush()).flow.state.started).toBe(false);
  });
});

describe('replicas that come and go', () => {
  /** Five tabs behind a load balancer that knows only the replica that is about to leave. */
  async function tabsBehind(balancer: Balancer): Promise<LiveClient[]> {
    const clients = await Promise.all(
      Array.from({ length: 5 }, () => live.connect(user, { url: balancer.url })),
    );
    await Promise.all(clients.map((client) => client.watch('onboarding')));
    return clients;
  }
  async function expectConverged(clients: readonly LiveClient[], replica: number): Promise<void> {
    await live.transition(user, 'u-counter', ['done'], replica);
    for (const client of clients) {
      const last = await client.until('u-counter', (block) => block.transitioned['done'] === true);
      expect(last.state).toEqual({ active: false, entered: true, exited: true });
    }
  }

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    '%s ends the transports of a replica, never the namespace: clients go on at another one (L7, R1, R10)',
    async (signal) => {
      const leaving = await live.add();
      const balancer = await startBalancer([leaving.url]);
      const clients = await tabsBehind(balancer);
      balancer.leadTo([live.url()]);
      leaving.process.kill(signal);
      for (const client of clients) expect(await client.next('disconnect')).toMatch(/^transport/);
      const end = await leaving.ended;
      expect(end).toEqual(
        signal === 'SIGTERM' ? { code: 0, signal: null } : { code: null, signal },
      );
      await expectConverged(clients, 0);
      await balancer.close();
    },
  );

  test('while it leaves a replica takes no new sockets: they find another one (L7)', async () => {
    const leaving = await live.add({ SHUTDOWN_GRACE_MS: '0' });
    const stays = await live.add();
    const balancer = await startBalancer([leaving.url, stays.url]);
    await tabsBehind(balancer);
    leaving.process.kill('SIGTERM');
    const late = await live.connect(user, { url: balancer.url });
    expect((await late.watch('onboarding')).flow.state.started).toBe(true);
    await leaving.ended;
    await balancer.close();
  });
});
