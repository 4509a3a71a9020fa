import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Field } from '@waymark/domain/engine';
import { card, checklist, custom, defineFlow, modal, tour } from '@waymark/testing/builders';
import { until } from '@waymark/testing/services';
import { createWaymark, readFlows, toText } from '../src/index.js';
import { ClientFixture } from './client-fixture.js';
import { MemoryStorage } from './memory-storage.js';

let here: ClientFixture;
let user: string;

const FIELDS: Field[] = [
  { sid: 'title', type: 'string', value: 'Welcome' },
  { sid: 'steps', type: 'number', value: 3 },
  {
    sid: 'body',
    type: 'richText',
    value: [{ type: 'paragraph', children: [{ text: 'Three ' }, { text: 'steps', bold: true }] }],
  },
];
const onboarding = defineFlow({
  flow: 'onboarding',
  blocks: {
    welcome: (id) => ({ ...modal({ complete: 'setup', dismiss: 'finish' })(id), fields: FIELDS }),
    setup: checklist(['invite', 'connect'], { complete: 'look', dismiss: 'finish' }),
    look: tour(['board', 'search'], { complete: 'survey', dismiss: 'finish' }),
    survey: custom({ done: 'finish' }),
  },
});
/** Every click counts: the block leads straight back to itself. */
const counter = defineFlow({ flow: 'counter', blocks: { tick: custom({ tick: 'tick' }) } });
const invited = defineFlow({
  flow: 'invited',
  target: { users: 'api-only' },
  blocks: { badge: card({ complete: 'finish' }) },
});

beforeAll(async () => {
  here = await ClientFixture.open(onboarding, counter, invited);
});
afterAll(() => here.close());
beforeEach(async () => {
  user = await here.newUser();
});
afterEach(() => here.closePages());

describe('what a page shows', () => {
  test('is empty before there is data, then what the service says, the same object until something changed (C2)', async () => {
    const page = here.openPage(user, { flows: ['onboarding'] });
    const welcome = page.block('onboarding.welcome');
    expect(page.block('onboarding.welcome')).toBe(welcome);
    expect(welcome.get()).toMatchObject({ active: false, fields: {}, items: [], transitioned: {} });
    await page.ready;
    const view = welcome.get();
    expect(view).toMatchObject({
      name: 'onboarding.welcome',
      type: 'modal',
      active: true,
      entered: true,
      exited: false,
      transitioned: { complete: false, dismiss: false },
      fields: { title: 'Welcome', steps: 3 },
    });
    expect(toText(view.fields['body'])).toBe('Three steps');
    expect(Object.keys(view)).toEqual(
      expect.arrayContaining(['complete', 'dismiss', 'transition']),
    );
    expect(Object.keys(view)).not.toContain('next');
    await page.refresh();
    expect(welcome.get()).toBe(view);
    expect(page.flow('onboarding').get()).toMatchObject({
      started: true,
      stopped: false,
      finished: false,
    });
    expect(
      page
        .flow('onboarding')
        .get()
        .blocks.map(({ name }) => name),
    ).toEqual(
      ['welcome', 'setup', 'invite', 'connect', 'look', 'board', 'search', 'survey'].map(
        (name) => `onboarding.${name}`,
      ),
    );
    expect(page.errors).toEqual([]);
  });

  test('changes at once with a click, and then as the service says; listeners hear each change once (C2, C4)', async () => {
    const page = here.openPage(user, { flows: ['onboarding'] });
    const seen: boolean[] = [];
    const stop = page.block('onboarding.welcome').subscribe(({ active }) => seen.push(active));
    await page.ready;
    const setup = page.block('onboarding.setup');
    const result = page.block('onboarding.welcome').get().complete();
    expect(page.block('onboarding.welcome').get()).toMatchObject({
      active: false,
      exited: true,
      transitioned: { complete: true },
    });
    expect(setup.get().active).toBe(false);
    expect(await result).toBe(true);
    await until(() => setup.get().active);
    expect(setup.get().items.map(({ name, active }) => [name, active])).toEqual([
      ['onboarding.invite', true],
      ['onboarding.connect', true],
    ]);
    expect(await page.block('onboarding.welcome').get().complete()).toBe(false);
    expect(seen).toEqual([false, true, false]);
    stop();
  });

  test('follows whatever happens elsewhere, by pushes alone (C5)', async () => {
    const page = here.openPage(user, { flows: ['onboarding'] });
    await page.ready;
    await here.post('block/onboarding.welcome/transition?transitions=complete', user);
    await until(() => page.block('onboarding.setup').get().active);
    await here.post('flow/onboarding/reset', user);
    await until(() => page.block('onboarding.welcome').get().active);
    await here.post('flow/onboarding/stop', user);
    await until(() => page.flow('onboarding').get().stopped);
    expect(page.block('onboarding.welcome').get().active).toBe(false);
  });

  test('follows without a WebSocket too: reads after each command (C5)', async () => {
    const page = here.openPage(user, { flows: ['onboarding'], WebSocket: null });
    await page.ready;
    expect(await page.block('onboarding.welcome').get().complete()).toBe(true);
    await until(() => page.block('onboarding.setup').get().active);
    expect(await page.flow('onboarding').get().reset()).toBe(true);
    await until(() => page.block('onboarding.welcome').get().active);
  });

  test('a user who is not identified yet is shown nothing, and everything soon after (C5)', async () => {
    const page = here.openPage('late', { flows: ['onboarding'] });
    const ready = page.ready;
    await until(() => page.errors.length > 0);
    expect(page.errors[0]).toMatchObject({ code: 'not_found_error', status: 404 });
    await here.fixture.identify('late');
    await page.refresh();
    await ready;
    expect(page.block('onboarding.welcome').get().active).toBe(true);
  });

  test('a name that the version lacks is an empty view, and told once (C2)', async () => {
    const page = here.openPage(user, { flows: ['onboarding@1', 'nowhere', 'counter@99'] });
    for (let turn = 0; turn < 2; turn++) {
      expect(page.block('onboarding.welcom').get()).toMatchObject({ active: false, fields: {} });
      expect(page.flow('tips').get()).toMatchObject({ started: false, blocks: [] });
      await page.refresh();
    }
    await until(() => page.errors.length >= 4);
    expect(page.errors.map(({ details }) => details.split(' ')[0]).sort()).toEqual([
      'counter@99',
      'nowhere@latest',
      'onboarding.welcom',
      'tips',
    ]);
  });

  test('items of a tour are left by next and come back by previous (C2, C4)', async () => {
    const page = here.openPage(user, { flows: ['onboarding'] });
    await page.ready;
    const board = page.block('onboarding.board');
    const search = page.block('onboarding.search');
    await page.block('onboarding.welcome').get().complete();
    await until(() => page.block('onboarding.connect').get().active);
    for (const item of ['invite', 'connect']) await page.block(`onboarding.${item}`).get().skip();
    await until(() => board.get().active);
    await board.get().next();
    await until(() => search.get().active);
    const back = search.get().previous();
    expect(search.get().active).toBe(true);
    expect(await back).toBe(true);
    await until(() => board.get().active && !search.get().active);
  });

  test('an api-only flow is entered by force (C2)', async () => {
    const page = here.openPage(user, { flows: ['invited'] });
    await page.ready;
    expect(await page.flow('invited').get().start({ x: 1 })).toBe(false);
    expect(await page.flow('invited').get().start({ force: true })).toBe(true);
    await until(() => page.block('invited.badge').get().active);
  });

  test('a refused command rejects with what the service said, tells onError, and what it hid comes back (C3, C4)', async () => {
    const page = here.openPage(user, { flows: ['onboarding'] });
    await page.ready;
    const welcome = page.block('onboarding.welcome');
    const result = welcome.get().transition('explode');
    expect(welcome.get().active).toBe(false);
    await expect(result).rejects.toMatchObject({
      code: 'invalid_request_error',
      details: expect.stringContaining('"complete"'),
    });
    expect(welcome.get().active).toBe(true);
    expect(page.errors).toMatchObject([{ status: 400, requestId: expect.any(String) }]);
  });

  test('a listener that begins to listen elsewhere while it is told keeps no change from others (C2)', async () => {
    const page = here.openPage(user, { flows: ['onboarding'] });
    await page.ready;
    const [welcome, setup] = [page.block('onboarding.welcome'), page.block('onboarding.setup')];
    const seen: string[] = [];
    welcome.subscribe(
      ({ exited }) => exited && setup.subscribe(({ active }) => seen.push(`late ${active}`)),
    );
    setup.subscribe(({ active }) => seen.push(`early ${active}`));
    await here.post('block/onboarding.welcome/transition?transitions=complete', user);
    await until(() => seen.length >= 3);
    expect(seen).toEqual(['early false', 'late true', 'early true']);
  });

  test('a listener that throws disturbs no other, and ten thousand that came and went leave nothing (C10)', async () => {
    const page = here.openPage(user, { flows: ['counter'] });
    const tick = page.block('counter.tick');
    await page.ready;
    let calls = 0;
    const stops = Array.from({ length: 10_000 }, () => tick.subscribe(() => calls++));
    for (const stop of stops) stop();
    const seen: boolean[] = [];
    let isArmed = false;
    tick.subscribe(() => {
      if (isArmed) throw new Error('boom');
    });
    tick.subscribe(({ active }) => seen.push(active));
    isArmed = true;
    expect(calls).toBe(10_000);
    await tick.get().transition('tick');
    await until(() => seen.length >= 3);
    expect(calls).toBe(10_000);
    expect(page.errors.map(({ details }) => details)).toContain('Error: boom');
  });
});

describe('what is missing', () => {
  const options = { url: 'http://127.0.0.1:9', key: 'blocks-x', user: 'ada', flows: ['f'] };

  test('is refused at once, with a sentence, by createWaymark and readFlows alike (C1)', async () => {
    expect(() => createWaymark({ ...options, user: undefined as never })).toThrow(
      'user is missing',
    );
    expect(() => createWaymark({ ...options, user: '' })).toThrow('user is missing');
    expect(() => createWaymark({ ...options, flows: undefined as never })).toThrow(
      'flows is missing',
    );
    expect(() => createWaymark({ ...options, flows: [] })).toThrow('flows is missing');
    await expect(readFlows({ ...options, user: undefined as never })).rejects.toThrow(
      'user is missing',
    );
  });

  test('a secret key is refused in a page only (V1)', () => {
    const secret = { ...options, key: 'blocks-secret-x' };
    createWaymark(secret).close();
    Object.assign(globalThis, { document: {} });
    try {
      expect(() => createWaymark(secret)).toThrow('key is secret: a page needs a public key');
    } finally {
      Reflect.deleteProperty(globalThis, 'document');
    }
  });
});

describe('a server', () => {
  test('reads once, and a browser shows that at once; outside of browsers nothing is asked before somebody wants it (C1, C7)', async () => {
    const access = { url: here.service.url, key: here.key, user };
    const initial = await readFlows({ ...access, flows: ['onboarding'] });
    expect(JSON.parse(JSON.stringify(initial))).toEqual(initial);
    const calls: unknown[] = [];
    const fetch: typeof globalThis.fetch = async (...call) => {
      calls.push(call);
      return globalThis.fetch(...call);
    };
    const page = createWaymark({
      ...access,
      flows: ['onboarding'],
      initial,
      fetch,
      storage: new MemoryStorage(),
      WebSocket: null,
    });
    expect(page.block('onboarding.welcome').get().active).toBe(true);
    const first = page.block('onboarding.welcome').initial();
    expect(first).toEqual(expect.objectContaining({ active: true }));
    await page.block('onboarding.welcome').get().dismiss();
    expect(page.block('onboarding.welcome').initial()).toBe(first);
    expect(calls.length).toBeGreaterThan(0);
    page.close();
  });

  test('also knows in which order to show flows (Q5)', () => {
    const initial = { flows: [], unknown: [], order: ['tour', 'onboarding'] };
    const page = here.openPage(user, { flows: ['onboarding', 'tour'], initial, WebSocket: null });
    expect(page.flows).toEqual(initial.order);
    page.close();
  });

  test('sends what the user answered, which waits in storage until the service has it (Z3)', async () => {
    await here.fixture.read(user, 'onboarding');
    const storage = new MemoryStorage();
    const data = { stars: 5, why: 'a & b + c%', list: ['ü', '&transitions=dismiss'] };
    const open = (more: object) =>
      here.openPage(user, { flows: ['onboarding'], storage, WebSocket: null, ...more });
    const offline = open({ fetch: () => Promise.reject(new Error('offline')) });
    void offline.block('onboarding.welcome').get().complete({ data });
    await until(() => Promise.resolve(storage.length === 1));
    expect(offline.block('onboarding.welcome').get().transitioned).toEqual({});
    offline.close();
    const asked: string[] = [];
    const fetch: typeof globalThis.fetch = (address, init) => {
      asked.push(String(address));
      return globalThis.fetch(address, init);
    };
    const page = open({ fetch });
    await page.ready;
    await until(() => Promise.resolve(storage.length === 0));
    expect(page.errors).toEqual([]);
    expect(asked.filter((address) => address.includes('data='))).toEqual([]);
    await page.block('onboarding.invite').get().skip({});
    const survey = page.block('onboarding.survey').get();
    await expect(
      survey.transition('done', { data: { text: 'x'.repeat(5_000) } }),
    ).rejects.toMatchObject({ status: 413 });
    const events = await here.fixture.loadEvents(user, 'onboarding', 1);
    expect(events.map(({ event: { cause } }) => cause).slice(1)).toEqual([
      { kind: 'transition', block: 'u-welcome', names: ['complete'], data },
      { kind: 'transition', block: 'u-invite', names: ['skip'] },
    ]);
  });

  test('refuses aloud what it is asked wrongly (C7)', async () => {
    const access = { url: here.service.url, key: here.key, user };
    await expect(
      readFlows({ ...access, key: 'blocks-x', flows: ['onboarding'] }),
    ).rejects.toMatchObject({ status: 401 });
    await expect(readFlows({ ...access, flows: ['on boarding'] })).rejects.toMatchObject({
      status: 400,
    });
  });
});
