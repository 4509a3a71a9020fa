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
import type { AttentionRules, FlowDefinition } from '@waymark/domain/engine';
import { applySharedFile, ATTENTION_FILE } from '@waymark/domain/flows';
import { type LiveSocketClass, readFlows } from '../src/index.js';
import { ClientFixture } from './client-fixture.js';

let here: ClientFixture;
let user: string;

const grouped = (flow: string, group: string): FlowDefinition => ({
  ...defineFlow({ flow, blocks: { [`${flow}-card`]: card({ complete: 'finish' }) } }),
  format: 2,
  attention: { group },
});
/** By group, so short that a test sees it pass. */
const RULES: Readonly<Record<string, AttentionRules>> = {
  turns: { atOnce: 1 },
  spans: { limit: { starts: 1, per: 5_000 } },
};
const GROUPED = Object.keys(RULES).flatMap((group) =>
  ['a', 'b'].map((name) => grouped(`${group}-${name}`, group)),
);

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

/**
 * Time goes on for these by `jest.advanceTimersByTime` alone; network, service and database have
 * their own.
 */
const stopTime = (...timers: Timer[]) =>
  jest.useFakeTimers({
    doNotFake: [...OTHERS, ...TIMERS.filter((timer) => !timers.includes(timer))],
  });

/** What follows from a timer has begun. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

beforeAll(async () => {
  here = await ClientFixture.open(plain, ...GROUPED);
  await applySharedFile(here.fixture.dataSource, ATTENTION_FILE, new Map(Object.entries(RULES)), {
    by: 'test',
  });
  // The service knows them within a second.
  await until(async () => {
    const access = { url: here.service.url, key: here.key, user: await here.newUser() };
    const { flows } = await readFlows({ ...access, flows: ['turns-a', 'turns-b'] });
    return flows[1]!.waits !== undefined;
  });
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

describe('a flow that waits for others', () => {
  test('says so, also after pushes, and starts once a flow of the page has ended (Q6)', async () => {
    // Not by the proxy, through which requests of the tests before may still be lost.
    const { url } = here.service;
    const page = here.openPage(user, { url, flows: ['turns-a', 'turns-b'] });
    await page.ready;
    await until(() => page.live);
    expect(page.flow('turns-b').get()).toMatchObject({
      started: false,
      waits: { group: 'turns', rule: 'at-once' },
    });
    await page.block('turns-a.turns-a-card').get().complete();
    await until(() => page.block('turns-b.turns-b-card').get().active);
    expect(page.flow('turns-b').get().waits).toBeUndefined();
  });

  test('starts after the seconds that the service told, whatever the clock of the device (Q6)', async () => {
    for (const date of ['2001-01-01', '2099-01-01']) {
      jest.useFakeTimers({ doNotFake: [...OTHERS.slice(1), ...TIMERS], now: new Date(date) });
      const someone = await here.newUser();
      const page = here.openPage(someone, { flows: ['spans-a', 'spans-b'] });
      await page.ready;
      expect(page.flow('spans-b').get().waits).toMatchObject({
        rule: 'limit',
        seconds: expect.any(Number),
      });
      await until(() => page.flow('spans-b').get().started);
    }
  });

  test.each([
    ['every 60 seconds', undefined, true],
    ['not in a page that is hidden', { hidden: true }, false],
  ])('is looked at %s (Q6)', async (_, document, isRead) => {
    await here.post('flow/turns-a/start', user);
    stopTime('setTimeout', 'clearTimeout');
    Object.assign(globalThis, { document });
    let reads = 0;
    const fetch: typeof globalThis.fetch = (...request) => {
      reads++;
      return globalThis.fetch(...request);
    };
    const page = here.openPage(user, { flows: ['turns-b'], fetch });
    await page.ready;
    await until(() => page.live);
    expect(page.flow('turns-b').get().waits).toBeDefined();
    await here.post('flow/turns-a/finish', user);
    jest.advanceTimersByTime(59_999);
    await settle();
    expect(reads).toBe(1);
    jest.advanceTimersByTime(1);
    await settle();
    expect(reads).toBe(isRead ? 2 : 1);
    if (isRead) await until(() => page.flow('turns-b').get().started);
    Reflect.deleteProperty(globalThis, 'document');
  });

  test('is looked at after the seconds that the service told, and not earlier (Q6)', async () => {
    stopTime('setTimeout', 'clearTimeout');
    let reads = 0;
    const fetch: typeof globalThis.fetch = (...request) => {
      reads++;
      return globalThis.fetch(...request);
    };
    const page = here.openPage(user, { flows: ['spans-a', 'spans-b'], fetch });
    await page.ready;
    const { seconds } = page.flow('spans-b').get().waits!;
    jest.advanceTimersByTime(seconds! * 1_000 - 1);
    await settle();
    expect(reads).toBe(1);
    jest.advanceTimersByTime(1);
    await settle();
    expect(reads).toBe(2);
  });
});
