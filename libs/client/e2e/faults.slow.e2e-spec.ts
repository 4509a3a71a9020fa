import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { card, checklist, custom, defineFlow, modal, tour } from '@waymark/testing/builders';
import { fc } from '@waymark/testing/properties';
import { until } from '@waymark/testing/services';
import type { BlockView } from '../src/index.js';
import { ClientFixture, type Page } from './client-fixture.js';
import { MemoryStorage } from './memory-storage.js';

let here: ClientFixture;
let user: string;

/** Every click counts: the block leads straight back to itself. */
const counter = defineFlow({
  flow: 'counter',
  blocks: { tick: custom({ tick: 'tick', stop: 'finish' }) },
});
const walk = defineFlow({
  flow: 'walk',
  blocks: {
    hello: modal({ complete: ['list', 'trip'], dismiss: 'again' }),
    list: checklist(['one', 'two'], { complete: 'again', dismiss: 'again' }),
    trip: tour(['first', 'second'], { complete: 'again', dismiss: 'again' }),
    again: custom({ 'back,home': 'hello', out: 'finish' }),
  },
});
const plain = defineFlow({
  flow: 'plain',
  blocks: { one: card({ complete: 'two' }), two: card({ complete: 'finish' }) },
});

beforeAll(async () => {
  here = await ClientFixture.open(counter, walk, plain);
});
afterAll(() => here.close());
beforeEach(async () => {
  user = await here.newUser();
});
afterEach(() => here.closePages());

const tick = (page: Page) => page.block('counter.tick').get().transition('tick');
const ticks = async () => (await here.countEvents(user, 'counter')) - 1;

describe('nothing is lost, and nothing counts twice (C3)', () => {
  test('ten clicks while the network is off are there once when it is back', async () => {
    const page = here.openPage(user, { flows: ['counter'] });
    await page.ready;
    here.proxy.set({ kind: 'refuse' });
    here.proxy.reset();
    const clicks = Array.from({ length: 10 }, () => tick(page));
    await pause(50);
    expect(await ticks()).toBe(0);
    here.proxy.heal();
    expect(await Promise.all(clicks)).toEqual(Array(10).fill(true));
    expect(await ticks()).toBe(10);
  });

  test('clicks outlive a reload, are hidden by the next page at once, and are there once', async () => {
    const storage = new MemoryStorage();
    const first = here.openPage(user, { flows: ['plain', 'counter'], storage });
    await first.ready;
    here.proxy.set({ kind: 'refuse' });
    here.proxy.reset();
    void first.block('plain.one').get().complete();
    for (let count = 0; count < 9; count++) void tick(first);
    first.close();
    expect(storage.length).toBe(10);
    here.proxy.heal();
    const second = here.openPage(user, { flows: ['plain', 'counter'], storage });
    const seen: boolean[] = [];
    second.block('plain.one').subscribe(({ active }) => seen.push(active));
    await until(() => storage.length === 0);
    await until(() => second.block('plain.two').get().active);
    expect(seen).not.toContain(true);
    expect(await ticks()).toBe(9);
  });

  test('two tabs with the same storage send the same clicks, which count once', async () => {
    const storage = new MemoryStorage();
    const first = here.openPage(user, { flows: ['counter'], storage });
    await first.ready;
    here.proxy.set({ kind: 'refuse' });
    here.proxy.reset();
    const clicks = Array.from({ length: 10 }, () => tick(first));
    const second = here.openPage(user, { flows: ['counter'], storage });
    const own = tick(second);
    here.proxy.heal();
    await Promise.all([...clicks, own, first.refresh(), second.refresh()]);
    await until(() => storage.length === 0);
    expect(await ticks()).toBe(11);
  });

  test('answers that are dropped, cut and late', async () => {
    const page = here.openPage(user, { flows: ['counter'] });
    await page.ready;
    here.proxy.set({ kind: 'drop-answer', times: 3 });
    const dropped = [tick(page), tick(page), tick(page)];
    await Promise.all(dropped);
    here.proxy.set({ kind: 'cut', afterBytes: 20 });
    const cut = tick(page);
    await until(async () => (await ticks()) === 4);
    here.proxy.set({ kind: 'latency', ms: 30 });
    expect(await Promise.all([cut, tick(page)])).toEqual([true, true]);
    expect(await ticks()).toBe(5);
  });

  test('requests that arrive twice, once much later, and answers of somebody in between', async () => {
    const late: Promise<unknown>[] = [];
    let lies = 2;
    const fetch: typeof globalThis.fetch = async (url, options) => {
      if (options?.method === 'POST' && lies-- > 0)
        return new Response('<html>Please log in</html>', { status: 200 });
      const answer = await globalThis.fetch(url, options);
      if (options?.method === 'POST')
        late.push(pause(100).then(() => globalThis.fetch(url, { ...options, signal: null })));
      return answer;
    };
    const page = here.openPage(user, { flows: ['counter'], fetch });
    await page.ready;
    for (let count = 0; count < 3; count++) expect(await tick(page)).toBe(true);
    await Promise.all(late);
    expect(await ticks()).toBe(3);
  });

  test('a service that is killed under load, and its successor', async () => {
    const page = here.openPage(user, { flows: ['counter'] });
    await page.ready;
    const clicks: Promise<boolean>[] = [];
    const restarted = pause(50).then(() => here.restart());
    for (let count = 0; count < 40; count++) {
      clicks.push(tick(page));
      await pause(5);
    }
    await restarted;
    expect(await Promise.all(clicks)).toEqual(Array(40).fill(true));
    expect(await ticks()).toBe(40);
    await here.post('flow/counter/stop', user);
    await until(() => page.flow('counter').get().stopped);
  });

  test('what the service fails at five times is given up, and the next goes on; what it refuses for now is kept', async () => {
    const answers = [429, 408, 425, 503, 500, 500, 500, 500, 500];
    const fetch: typeof globalThis.fetch = async (url, options) => {
      const status = options?.method === 'POST' ? answers.shift() : undefined;
      return status ? new Response('{}', { status }) : globalThis.fetch(url, options);
    };
    const page = here.openPage(user, { flows: ['counter'], fetch });
    await page.ready;
    const given = tick(page);
    const kept = tick(page);
    const hurry = setInterval(() => void page.refresh(), 20);
    await expect(given).rejects.toMatchObject({ status: 500 });
    expect(await kept).toBe(true);
    clearInterval(hurry);
    expect(await ticks()).toBe(1);
  });

  test('no more than 200 wait; one more is refused aloud', async () => {
    const page = here.openPage(user, { flows: ['counter'] });
    await page.ready;
    here.proxy.set({ kind: 'refuse' });
    here.proxy.reset();
    for (let count = 0; count < 200; count++) void tick(page);
    await expect(tick(page)).rejects.toMatchObject({ code: 'queue_full' });
    expect(page.errors.filter(({ code }) => code === 'queue_full')).toHaveLength(1);
  });
});

describe('storage may be anything (C3)', () => {
  const scopeOf = () =>
    `waymark http://127.0.0.1:${here.proxy.port} ${here.key} userIdentifier=${user} `;

  test('full or forbidden: clicks count all the same', async () => {
    const broken = new Proxy(new MemoryStorage(), {
      get: () => {
        throw new Error('QuotaExceededError');
      },
    });
    const page = here.openPage(user, { flows: ['counter'], storage: broken });
    await page.ready;
    expect(await tick(page)).toBe(true);
    expect(await ticks()).toBe(1);
  });

  test('poisoned: what is no command is thrown away, what is too old is not sent, and clicks count', async () => {
    const storage = new MemoryStorage();
    const now = Date.now();
    const tickOnce = 'counter.tick/transition?version=1&transitions=tick';
    const paths = [
      '',
      'null',
      '{}',
      'counter',
      'counter.tick/transition',
      'counter.tick/transition?version=1&transitions=%ff\ud800',
      '../../v2/flow/\ud800',
      '../../../health?x=1',
      'counter.tick/explode?version={}',
    ];
    for (const [index, path] of paths.entries())
      storage.setItem(`${scopeOf()}${now}-${index}`, path);
    for (const id of ['', 'x', '0', `${now - 25 * 60 * 60 * 1000}-1`])
      storage.setItem(scopeOf() + id, tickOnce);
    storage.setItem('of somebody else', '{}');
    const page = here.openPage(user, { flows: ['counter'], storage });
    await page.ready;
    expect(await tick(page)).toBe(true);
    await until(() => storage.length === 1);
    expect(await ticks()).toBe(1);
  });

  test('of another user, key or group: left alone', async () => {
    const storage = new MemoryStorage();
    const first = here.openPage(user, {
      flows: ['counter'],
      storage,
      fetch: () => Promise.reject(new Error('offline')),
    });
    void tick(first);
    first.close();
    const other = await here.newUser();
    const second = here.openPage(other, { flows: ['counter'], storage });
    const third = here.openPage(user, { flows: ['counter'], storage, group: 'acme' });
    await Promise.all([second.ready, third.ready]);
    await tick(second);
    expect(storage.length).toBe(1);
    expect(await ticks()).toBe(0);
  });
});

describe('what is shown is never older than what was shown (C4)', () => {
  test('reads that answer late are ignored', async () => {
    const held: (() => void)[] = [];
    let isHolding = false;
    const fetch: typeof globalThis.fetch = async (url, options) => {
      const answer = await globalThis.fetch(url, options);
      if (isHolding && options?.method !== 'POST')
        await new Promise<void>((resolve) => held.push(resolve));
      return answer;
    };
    const page = here.openPage(user, { flows: ['plain'], fetch });
    await page.ready;
    const seen: boolean[] = [];
    page.block('plain.one').subscribe(({ active }) => seen.push(active));
    isHolding = true;
    void page.refresh();
    await until(() => held.length > 0);
    await page.block('plain.one').get().complete();
    await until(() => page.block('plain.two').get().active);
    isHolding = false;
    for (const go of held) go();
    await page.refresh();
    expect(seen).toEqual([true, false]);
    expect(page.block('plain.two').get().active).toBe(true);
  });

  test('a state that was deleted and made anew is shown, though its revision is lower', async () => {
    const page = here.openPage(user, { flows: ['plain'] });
    await page.ready;
    await page.block('plain.one').get().complete();
    await until(() => page.block('plain.two').get().active);
    for (const table of ['flow_states', 'flow_events']) {
      await here.fixture.dataSource.query(
        `DELETE FROM ${table} USING users u WHERE u.user_id = ${table}.user_id AND identifier = $1`,
        [user],
      );
    }
    // A push from before the deletion may still arrive during a read, and is newer than its answer.
    await until(async () => {
      await page.refresh();
      return page.block('plain.one').get().active;
    });
  });

  test('whatever is clicked, however the network behaves, page and service end alike (R6, R11)', async () => {
    const clicks = fc.array(fc.tuple(fc.nat(8), fc.nat(5), fc.nat(6)), {
      minLength: 1,
      maxLength: 15,
    });
    await fc.assert(
      fc.asyncProperty(clicks, async (all) => {
        user = await here.newUser();
        const page = here.openPage(user, { flows: ['walk'] });
        await page.ready;
        const results = all.map(async ([place, way, weather]) => {
          if (weather === 0) here.proxy.set({ kind: 'drop-answer', times: 1 });
          if (weather === 1) here.proxy.reset();
          if (weather === 2) here.proxy.set({ kind: 'latency', ms: 5 });
          const { blocks, reset } = page.flow('walk').get();
          if (way === 5) return reset();
          const active = blocks.filter((block) => block.active);
          const block = (active.length > 0 ? active : blocks)[
            place % (active.length || blocks.length)
          ]!;
          const names = Object.keys(block.transitioned);
          return block.transition(names[way % names.length]!);
        });
        await Promise.all(results);
        here.proxy.heal();
        const truth = async () => {
          const { state } = (await here.fixture.findState(user, 'walk', 1))!;
          const active = Object.entries(state.blocks).flatMap(([uid, { active }]) =>
            active ? uid.slice(2) : [],
          );
          return JSON.stringify([state.started, state.finished, active.sort()]);
        };
        const shown = () => {
          const { started, finished, blocks } = page.flow('walk').get();
          const active = (blocks as BlockView[]).flatMap(({ name, active }) =>
            active ? name.slice(5) : [],
          );
          return JSON.stringify([started, finished, active.sort()]);
        };
        const end = await truth();
        await until(() => shown() === end);
        expect(await truth()).toBe(end);
        page.close();
      }),
      { numRuns: 25 },
    );
  });
});

describe('a token (C1)', () => {
  test('is asked for again when it has expired, in the middle of everything, and no click is lost', async () => {
    let good = 'one';
    const asked: string[] = [];
    const fetch: typeof globalThis.fetch = async (url, options) => {
      const sent = (options!.headers as Record<string, string>)['x-api-key']!;
      const [key, token] = sent.split('.') as [string, string];
      if (token !== good)
        return new Response('{"code":"unauthorized_error","details":"the token has expired"}', {
          status: 401,
        });
      return globalThis.fetch(url, {
        ...options,
        headers: { ...options!.headers, 'x-api-key': key },
      });
    };
    const token = async () => {
      asked.push(good);
      return good;
    };
    const page = here.openPage(user, { flows: ['counter'], fetch, token, WebSocket: null });
    await page.ready;
    expect(await tick(page)).toBe(true);
    good = 'two';
    expect(await Promise.all([tick(page), tick(page)])).toEqual([true, true]);
    expect(asked).toEqual(['one', 'two']);
    expect(page.errors).toEqual([]);
    expect(await ticks()).toBe(3);
  });

  test('that nobody gives keeps the clicks until somebody does', async () => {
    await here.post('flow/counter/start', user);
    let isSilent = true;
    const token = () => (isSilent ? Promise.reject(new Error('signed out')) : '');
    const page = here.openPage(user, { flows: ['counter'], token });
    const click = tick(page);
    await until(() => page.errors.length > 0);
    isSilent = false;
    await page.refresh();
    expect(await click).toBe(true);
    expect(await ticks()).toBe(1);
  });
});
