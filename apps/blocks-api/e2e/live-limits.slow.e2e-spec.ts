import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { archiveFlow, storeDefinition } from '@waymark/domain/flows';
import { custom, defineFlow } from '@waymark/testing/builders';
import { call, until } from '@waymark/testing/services';
import { WebSocket } from 'ws';
import type { LiveClient } from './live-client.js';
import { LiveReplicas } from './live-replicas.js';

const story = { sid: 'story', type: 'string', value: 'x'.repeat(1_000_000) } as const;
/**
 * Every push of it weighs a megabyte, and counts as thirty requests where the client requested it.
 */
const heavy = defineFlow({
  flow: 'heavy',
  blocks: { counter: custom({ again: 'counter' }, [story]) },
});

let live: LiveReplicas;

beforeAll(async () => {
  live = await LiveReplicas.open(1);
  await live.commit(heavy);
});
afterAll(() => live.close());

const dropped = async () => {
  const { text } = await call({ url: live.services[0]!.metricsUrl }, 'GET /metrics');
  return Number(/waymark_live_dropped_sockets_total\{.*\} (\d+)/.exec(text)?.[1] ?? 0);
};

test('a client that does not read is dropped before much waits for it, and others are not (L5)', async () => {
  await live.fixture.identify('ann');
  await live.get('/v2/flow/heavy?userIdentifier=ann&version=1');
  const reader = await live.connect('ann');
  await reader.watch('heavy');
  const address = `${live.url().replace('http', 'ws')}/v2/socket/?EIO=4&transport=websocket&endUserIdentifier=ann`;
  const sleeper = new WebSocket(address);
  sleeper.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    sleeper.on('message', (data: Buffer) => {
      const text = data.toString();
      if (text.startsWith('0'))
        sleeper.send(`40/v2/client,${JSON.stringify({ 'x-api-key': live.key })}`);
      else if (text.startsWith('40')) sleeper.send('42/v2/client,["watch:flow","heavy",1]');
      else if (text.startsWith('42/v2/client,["flow"')) resolve();
    });
  });
  sleeper.pause();
  // Without these it would be cut off after a while as one that is gone.
  const heartbeats = setInterval(() => sleeper.send('3'), 1_000);
  while ((await dropped()) === 0) {
    await live.transition('ann', 'u-counter', ['again']);
    await reader.nextPush();
  }
  expect(await dropped()).toBe(1);
  expect(reader.events()).not.toContain('disconnect');
  clearInterval(heartbeats);
  sleeper.terminate();
});

test('a client that reads slowly gets every snapshot, one after the other (L4)', async () => {
  const [address, flows] = [live.url().replace('http', 'ws'), ['slow-1', 'slow-2', 'slow-3']];
  for (const flow of flows) {
    const blocks = Object.fromEntries(
      Array.from({ length: 8 }, (_, index) => [
        `${flow}-${index}`,
        custom({ again: `${flow}-0` }, [story]),
      ]),
    );
    await live.commit(defineFlow({ flow, start: `${flow}-0`, blocks }));
  }
  await live.fixture.identify('bob');
  const client = new WebSocket(
    `${address}/v2/socket/?EIO=4&transport=websocket&endUserIdentifier=bob`,
  );
  const shown: string[] = [];
  const ended = new Promise<string>((resolve) => client.on('close', () => resolve('closed')));
  const allShown = new Promise<string>((resolve) => {
    client.on('message', (data: Buffer) => {
      const text = data.toString();
      if (text === '2') client.send('3');
      else if (text.startsWith('0'))
        client.send(`40/v2/client,${JSON.stringify({ 'x-api-key': live.key })}`);
      else if (text.startsWith('40')) {
        for (const flow of flows) client.send(`42/v2/client,["watch:flow","${flow}",1]`);
        client.pause();
        setTimeout(() => client.resume(), 1_000);
      } else if (text.startsWith('42/v2/client,["flow"')) shown.push(text.slice(20));
      if (shown.length === flows.length) resolve('all shown');
    });
  });
  expect(await Promise.race([allShown, ended])).toBe('all shown');
  client.terminate();
});

test('more sockets than a key or an address may have wait outside, until one leaves', async () => {
  for (const setting of ['LIVE_SOCKETS_PER_KEY', 'LIVE_SOCKETS_PER_ADDRESS']) {
    const { url } = await live.add({ [setting]: '2' });
    const [first] = [await live.connect('ann', { url }), await live.connect('ann', { url })];
    const waiting = live.client('ann', { url });
    await Promise.race([waiting.next('disconnect'), waiting.next('connect_error')]);
    expect(waiting.events()).not.toContain('ready');
    first.close();
    await waiting.next('ready');
  }
});

test('a client that asks without end is told so, and others are served (L3)', async () => {
  // Whose snapshots weigh nothing, or it would be cut off for what it does not read.
  await live.commit(defineFlow({ flow: 'light', blocks: { dot: custom() } }));
  const [noisy, calm] = [await live.connect('ann'), await live.connect('ann')];
  const refused = noisy.next('error');
  // A server that gets little of the processor takes longer to read them, and may find none too
  // many.
  await until(() => {
    for (let number = 0; number < 10_000; number++) noisy.socket.emit('watch:block', 'u-dot', 1);
    return Promise.race([refused.then(() => true), pause(5_000, false)]);
  });
  expect(await refused).toBe('watch:block: too many at once');
  expect((await calm.watch('heavy')).flow.sid).toBe('heavy');
});

describe('what clients ask to be shown counts as it does over HTTP', () => {
  /** A client may ask twice as often at once, then it has to wait. */
  const addSmall = async (perSecond = 1) =>
    (await live.add({ REQUESTS_PER_ADDRESS: String(perSecond) })).url;
  const isCutOff = (client: LiveClient) =>
    Promise.race([
      client.next('disconnect').then(() => true),
      client.next('connect_error').then(() => true),
    ]);

  test('who watches again and again is cut off (R13)', async () => {
    const client = await live.connect('ann', { url: await addSmall() });
    const watchOn = async (): Promise<never> => {
      for (;;) await client.watch('heavy');
    };
    expect(await Promise.race([isCutOff(client), watchOn()])).toBe(true);
  });

  test.each([
    { what: 'are too many', count: 20, perSecond: 1, fields: [] },
    // It may ask for eight flows at once, but each of these is as large as thirty.
    { what: 'show too much', count: 5, perSecond: 4, fields: [story] },
  ])(
    'who brings watches along is cut off when these $what (R13)',
    async ({ what, count, perSecond, fields }) => {
      const flows = Array.from({ length: count }, (_, number) => {
        const flow = `${what.replaceAll(' ', '-')}-${number}`;
        return defineFlow({ flow, blocks: { [flow]: custom({}, fields) } });
      });
      await live.commit(...flows);
      const auth = {
        'x-api-key': live.key,
        offset: flows.map(({ flow }) => `${flow}@1`).join(' '),
      };
      const client = await live.connect('ann', { url: await addSmall(perSecond), auth });
      const shown = async () => {
        for (let time = 0; time < count; time++) await client.nextPush();
        return false;
      };
      expect(await Promise.race([isCutOff(client), shown()])).toBe(true);
    },
  );

  test('what is shown because something happened here does not (R13, B12)', async () => {
    const definition = defineFlow({ flow: 'away', blocks: { leaf: custom({}, [story]) } });
    await live.commit(definition);
    const client = await live.connect('ann', { url: await addSmall() });
    await client.watch('away');
    await archiveFlow(live.fixture.dataSource, 'away', { by: 'test' });
    expect(await client.next('error')).toBe('flow away was archived');
    await live.fixture.dataSource.transaction((manager) => storeDefinition(manager, definition));
    expect((await client.nextPush()).flow.sid).toBe('away');
    expect(client.events()).not.toContain('disconnect');
  });
});

describe('on an open socket', () => {
  const open = (url: string) => {
    const socket = new WebSocket(
      `${url.replace('http', 'ws')}/v2/socket/?EIO=4&transport=websocket&endUserIdentifier=ann`,
    );
    const closed = new Promise<number>((resolve) => socket.on('close', resolve));
    const opened = new Promise<void>((resolve) => socket.once('message', () => resolve()));
    const heartbeats: string[] = [];
    socket.on('message', (data: Buffer) => data.toString() === '2' && heartbeats.push('2'));
    // Of one that is refused, which is closed then.
    socket.on('error', () => undefined);
    return { socket, closed, opened, heartbeats };
  };
  /** Once the address may open one: two seconds' worth fill up again after a flood. */
  const openAgain = async (url: string): Promise<ReturnType<typeof open>> => {
    const connection = open(url);
    const isOpen = await Promise.race([
      connection.opened.then(() => true),
      connection.closed.then(() => false),
    ]);
    return isOpen ? connection : openAgain(url);
  };
  const connect = (key: string) => `40/v2/client,${JSON.stringify({ 'x-api-key': key })}`;

  test('frames of every kind count, and who sends too many is cut off (R13)', async () => {
    const { url } = await live.add({ REQUESTS_PER_ADDRESS: '20' });
    const floods: ((socket: WebSocket) => void)[] = [
      (socket) => socket.send('42/v2/client,["nobody knows"]'),
      (socket) => socket.send('6'),
      (socket) => socket.ping(),
      (socket) => socket.send('42/v2/client,["x"', { fin: false }),
    ];
    for (const flood of floods) {
      const { socket, closed, heartbeats } = await openAgain(url);
      if (floods.indexOf(flood) < 3) socket.send(connect(live.key));
      await until(() => {
        for (let number = 0; number < 1_000; number++) flood(socket);
        return socket.readyState === WebSocket.CLOSED;
      });
      expect(await closed).toBeGreaterThan(0);
      // A client that does not answer those is cut off for that.
      expect(heartbeats).toEqual([]);
      await until(async () => (await fetch(`${url}/health`)).ok);
    }
  });

  test('pings are answered', async () => {
    // Again if the server closed it in between, since it did not authenticate.
    await until(async () => {
      const { socket, opened, closed } = open(live.url());
      const answered = new Promise<boolean>((resolve) =>
        socket.on('pong', (data) => resolve(String(data) === 'still there?')),
      );
      await opened;
      socket.ping('still there?');
      const isAnswered = await Promise.race([answered, closed.then(() => false)]);
      socket.terminate();
      return isAnswered;
    });
  });

  test('one may ask once to be let in, so that a key is looked at once for each connection (R13)', async () => {
    const { socket, closed, opened } = open(live.url());
    await opened;
    const said: string[] = [];
    socket.on('message', (data: Buffer) => said.push(data.toString()));
    for (let number = 0; number < 10; number++) socket.send(connect(live.key));
    await closed;
    expect(said.filter((text) => text.startsWith('40')).length).toBeLessThanOrEqual(1);
  });
});
