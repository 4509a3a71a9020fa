import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { custom, defineFlow } from '@waymark/testing/builders';
import { readMetric } from '@waymark/testing/attacks';
import { untilSoon } from '@waymark/testing/services';
import { LiveReplicas } from './live-replicas.js';

// The version that socket.io brings along: hundreds of full clients would weigh more than the
// service.
const { WebSocket } = createRequire(createRequire(import.meta.url).resolve('socket.io'))('ws') as {
  WebSocket: new (url: string, options: object) => PlainSocket;
};
interface PlainSocket {
  on(event: 'message' | 'error', listener: (data: Buffer) => void): void;
  send(text: string): void;
  terminate(): void;
}

const WATCHES = 100;
const SOCKETS = 200;
/**
 * Of everything that a socket keeps in the heap of the replica, its connection included (R13): it
 * is about 16,400, of which a socket without watches takes 12,000.
 */
const MOST_BYTES_EACH = 20 * 1024;

/** Tells, whenever asked by a signal, what is in the heap after everything that can go has gone. */
const TELLING = `data:text/javascript,${encodeURIComponent(`
  process.on('SIGUSR2', () => {
    for (let i = 0; i < 4; i++) gc();
    const { heapUsed, external } = process.memoryUsage();
    console.log(JSON.stringify({ kept: heapUsed + external }));
  });`)}`;

describe('a replica with open sockets', () => {
  let live: LiveReplicas;
  const offset = Array.from({ length: WATCHES }, (_, index) => `loop@${index + 1}`).join(' ');

  beforeAll(async () => {
    live = await LiveReplicas.open(1, {
      NODE_OPTIONS: `--expose-gc --import=${TELLING}`,
      LIVE_HANDSHAKES_PER_SECOND: '100000',
      LIVE_HANDSHAKES_PER_ADDRESS: '100000',
      REQUESTS_PER_ADDRESS: '1000000',
      LOG_LEVEL: 'info',
    });
    for (let version = 1; version <= WATCHES; version++)
      await live.fixture.commit(
        defineFlow({
          flow: 'loop',
          blocks: {
            again: custom({ again: 'again' }, [{ sid: 'title', type: 'number', value: version }]),
          },
        }),
      );
    const users = Array.from({ length: SOCKETS }, (_, index) => `user-${index}`);
    await live.fixture.identifyAll(users, () => ({}));
  });
  afterAll(() => live.close());

  const open = async (user: string): Promise<PlainSocket> => {
    const url = `${live.url().replace('http', 'ws')}/v2/socket/?EIO=4&transport=websocket&endUserIdentifier=${user}`;
    const socket = new WebSocket(url, { perMessageDeflate: false });
    const auth = { 'x-api-key': live.key, pid: 'any', offset };
    let left = WATCHES;
    await new Promise<void>((resolve, reject) => {
      socket.on('error', () => reject(new Error('the socket failed')));
      socket.on('message', (data) => {
        const text = data.toString();
        if (text === '2') socket.send('3');
        else if (text.startsWith('0')) socket.send(`40/v2/client,${JSON.stringify(auth)}`);
        else if (text.startsWith('44')) reject(new Error(text));
        else if (text.startsWith('42/v2/client,["flow"')) left--;
        if (left === 0 && text.startsWith('42')) resolve();
      });
    });
    return socket;
  };
  const openAll = async (): Promise<PlainSocket[]> => {
    const sockets: PlainSocket[] = [];
    for (let index = 0; index < SOCKETS; index += 20)
      sockets.push(
        ...(await Promise.all(
          Array.from({ length: 20 }, (_, more) => open(`user-${index + more}`)),
        )),
      );
    return sockets;
  };
  const closeAll = async (sockets: PlainSocket[]): Promise<void> => {
    for (const socket of sockets) socket.terminate();
    const service = live.services[0]!;
    await untilSoon(
      'all sockets are gone',
      async () => (await readMetric(service, 'waymark_live_sockets')) === 0,
    );
  };
  const kept = async (): Promise<number> => {
    const { process, lines } = live.services[0]!;
    const before = lines.length;
    process.kill('SIGUSR2');
    const told = () => lines.slice(before).find((line) => line.startsWith('{"kept":'));
    await untilSoon('the replica tells', () => told() !== undefined);
    return (JSON.parse(told()!) as { kept: number }).kept;
  };

  test('keeps next to nothing for watches of states that nobody has yet (R13)', async () => {
    // A replica needs more memory once it is at work; that is not the sockets'.
    await closeAll(await openAll());
    const idle = await kept();
    const sockets = await openAll();
    const each = ((await kept()) - idle) / SOCKETS;
    await closeAll(sockets);
    expect(each).toBeLessThan(MOST_BYTES_EACH);
  });
});
