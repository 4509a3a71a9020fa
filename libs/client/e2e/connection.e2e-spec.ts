import { once } from 'node:events';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  jest,
  test,
} from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { until } from '@waymark/testing/services';
import { build } from 'esbuild';
import { WebSocket } from 'ws';
import type { LiveSocketClass } from '../src/index.js';
import { ClientFixture } from './client-fixture.js';

let here: ClientFixture;
let user: string;

const plain = defineFlow({
  flow: 'plain',
  blocks: { one: card({ complete: 'two' }), two: card({ complete: 'finish' }) },
});
const ELSEWHERE = 'block/plain.one/transition?transitions=complete';

type Timer = 'setInterval' | 'setTimeout' | 'clearInterval' | 'clearTimeout';
const TIMERS = ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout'] as const;
const OTHERS = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
] as const;

/** Time goes on for these by `jest.advanceTimersByTime` alone; network, service and database have their own. */
const stopTime = (...timers: Timer[]) =>
  jest.useFakeTimers({
    doNotFake: [...OTHERS, ...TIMERS.filter((timer) => !timers.includes(timer))],
  });

/** What follows from a timer has begun. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

beforeAll(async () => {
  here = await ClientFixture.open(plain);
});
afterAll(() => here.close());
beforeEach(async () => {
  user = await here.newUser();
});
afterEach(() => {
  jest.useRealTimers();
  here.closePages();
});

describe('a page that hears of nothing', () => {
  test('reads every 30 seconds where there is no WebSocket, and not earlier (C5)', async () => {
    stopTime('setInterval', 'clearInterval');
    let reads = 0;
    const fetch: typeof globalThis.fetch = (...request) => {
      reads++;
      return globalThis.fetch(...request);
    };
    const page = here.openPage(user, { flows: ['plain'], WebSocket: null, fetch });
    await page.ready;
    await here.post(ELSEWHERE, user);
    jest.advanceTimersByTime(29_999);
    await settle();
    expect([reads, page.block('plain.two').get().active]).toEqual([1, false]);
    jest.advanceTimersByTime(1);
    await until(() => page.block('plain.two').get().active);
    expect(reads).toBe(2);
  });

  test('leaves a connection that died without a word after 45 seconds of silence, and follows on a new one (C5)', async () => {
    stopTime('setTimeout', 'clearTimeout');
    let opened = 0;
    class Counted extends WebSocket {
      constructor(url: string) {
        super(url);
        opened++;
      }
    }
    const page = here.openPage(user, {
      flows: ['plain'],
      WebSocket: Counted as unknown as LiveSocketClass,
    });
    await page.ready;
    await here.post('flow/plain/stop', user);
    await until(() => page.flow('plain').get().stopped);
    here.proxy.silence();
    await here.post('flow/plain/reset', user);
    await here.post(ELSEWHERE, user);
    jest.advanceTimersByTime(44_999);
    await settle();
    expect([opened, page.flow('plain').get().stopped]).toEqual([1, true]);
    jest.advanceTimersByTime(1);
    await settle();
    // The pause before it comes back is at most half a second.
    jest.advanceTimersByTime(500);
    await until(() => page.block('plain.two').get().active);
    expect(opened).toBe(2);
    expect(page.errors).toEqual([]);
  });
});

describe('where there is no page', () => {
  /** The published package; says what it has seen, and closes. */
  const WORKER = `
    const { parentPort, workerData } = require('node:worker_threads');
    import('@waymark/client').then(async ({ createWaymark }) => {
      const waymark = createWaymark({ ...workerData, onError: (error) => parentPort.postMessage(String(error)) });
      await waymark.ready;
      const done = await waymark.block('plain.one').get().complete();
      waymark.block('plain.two').subscribe(({ active }) => {
        if (!active) return;
        parentPort.postMessage({ done });
        waymark.close();
      });
    });`;

  test('a worker of Node.js shows and acts, and ends by itself once it is closed (C1)', async () => {
    const access = { url: here.service.url, key: here.key, user, flows: ['plain'] };
    const worker = new Worker(WORKER, { eval: true, workerData: access });
    const said: unknown[] = [];
    worker.on('message', (message) => said.push(message));
    expect(await once(worker, 'exit')).toEqual([0]);
    expect(said).toEqual([{ done: true }]);
    expect(await here.countEvents(user, 'plain')).toBe(2);
  });

  test('a worker that waits as long as the service asked ends by itself too once it is closed (C1)', async () => {
    const refused = `
      const fetch = async () => new Response('{}', { status: 503, headers: { 'retry-after': '300' } });
      import('@waymark/client').then(({ createWaymark }) => {
        const page = createWaymark({ url: 'http://127.0.0.1', key: 'k', user: 'u', flows: ['plain'], fetch, onError: () => setTimeout(page.close) });
        void page.ready;
      });`;
    expect(await once(new Worker(refused, { eval: true }), 'exit')).toEqual([0]);
  });

  test('what every runtime of the web has is enough, on the edge too: no window, document, storage or WebSocket (C1)', async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: "export { createWaymark, readFlows } from '@waymark/client';",
        resolveDir: import.meta.dirname,
      },
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'client',
    });
    const web = {
      fetch,
      URLSearchParams,
      AbortController,
      AbortSignal,
      crypto,
      setTimeout,
      clearTimeout,
      setInterval,
      console,
    };
    const client = runInNewContext(
      `${outputFiles[0]!.text};client`,
      web,
    ) as typeof import('../src/index.js');
    const access = { url: here.service.url, key: here.key, user, flows: ['plain'] };
    const initial = await client.readFlows(access);
    const page = client.createWaymark({ ...access, initial });
    expect(page.block('plain.one').get().active).toBe(true);
    expect(await page.block('plain.one').get().complete()).toBe(true);
    await until(() => page.block('plain.two').get().active);
    page.close();
  });
});
