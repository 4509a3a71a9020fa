import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createKey } from '@waymark/domain/access';
import { fold } from '@waymark/domain/engine';
import { archiveFlow } from '@waymark/domain/flows';
import { branch, card, checklist, custom, defineFlow, modal } from '@waymark/testing/builders';
import { rawExchange, until } from '@waymark/testing/services';
import { BlocksService } from './blocks-service.js';

let api: BlocksService;
let user: string;
let count = 0;

const onboarding = defineFlow({
  blocks: {
    welcome: modal({ complete: 'fork', dismiss: 'finish' }),
    fork: branch('user.properties.admin', { true: 'setup', false: 'survey' }),
    setup: checklist(['invite', 'connect'], { complete: 'survey', dismiss: 'finish' }),
    survey: custom({ 'answered,skipped': 'finish', back: 'welcome' }, [
      { sid: 'question', type: 'string', value: 'How was it?' },
      { sid: 'thanks', type: 'richText', value: null },
    ]),
  },
});

beforeAll(async () => {
  api = await BlocksService.open();
  await api.fixture.commit(onboarding);
  await api.fixture.commit(
    defineFlow({
      flow: 'invited',
      target: { users: 'api-only' },
      blocks: { inv: card({ complete: 'finish' }) },
    }),
  );
  await api.fixture.apply(defineFlow({ flow: 'sketch', blocks: { sk: card() } }));
});
afterAll(() => api.close());
beforeEach(async () => {
  user = `user-${++count}`;
  await api.fixture.identify(user, { admin: true });
});

const asked = (rest = 'version=1') => `userIdentifier=${user}&${rest}`;
const flow = (rest = '', id = 'onboarding') => `/v2/flow/${id}?${asked()}${rest}`;
const intent = (name: string, rest = '', id = 'onboarding') =>
  `/v2/flow/${id}/${name}?${asked()}${rest}`;
const block = (uid: string) => `/v2/block/${uid}?${asked()}`;
const transition = (uid: string, ...names: string[]) =>
  `/v2/block/${uid}/transition?${asked()}${names.map((name) => `&transitions=${name}`).join('')}`;
const effect = ({ status, headers, text }: Awaited<ReturnType<typeof api.get>>) => ({
  status,
  effect: headers.get('x-dopt-intent-side-effects'),
  text,
});
const took = { status: 204, effect: 'true', text: '' };
const tookNone = { status: 204, effect: 'false', text: '' };

describe('GET flow', () => {
  test('starts the flow and answers with what clients know (S8, B5)', async () => {
    const answer = await api.get(flow());
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({
      kind: 'flow',
      type: 'flow',
      uid: 'onboarding',
      sid: 'onboarding',
      version: 1,
      state: { started: true, stopped: false, finished: false },
      revision: 1,
    });
  });

  test('tells the revision of the state, and every command the one it led to (B14)', async () => {
    const revision = ({ headers }: Awaited<ReturnType<typeof api.get>>) =>
      headers.get('x-waymark-revision');
    expect(revision(await api.post(intent('start')))).toBe('1');
    expect(revision(await api.post(transition('u-welcome', 'complete')))).toBe('2');
    expect(revision(await api.post(transition('u-welcome', 'complete')))).toBe('2');
    expect((await api.get(flow())).body).toMatchObject({ revision: 2 });
    const answer = await api.post(intent('stop'), { headers: { origin: 'https://app.example' } });
    expect(answer.headers.get('access-control-expose-headers')).toContain('x-waymark-revision');
  });

  test('has blocks with include=block, without logic, containers before their items (B6, B7, B8)', async () => {
    const { body } = await api.get(flow('&include=block'));
    const { blocks } = body as { blocks: { sid: string }[] };
    expect(blocks.map(({ sid }) => sid)).toEqual([
      'onboarding.welcome',
      'onboarding.setup',
      'onboarding.invite',
      'onboarding.connect',
      'onboarding.survey',
    ]);
    expect(blocks[2]).toEqual({
      kind: 'block',
      type: 'checklistItem',
      uid: 'u-invite',
      sid: 'onboarding.invite',
      version: 1,
      state: { active: false, entered: false, exited: false },
      transitioned: { complete: false, skip: false },
      fields: [],
      containerUid: 'u-setup',
    });
    expect(blocks[4]).toMatchObject({
      transitioned: { answered: false, skipped: false, back: false },
      fields: [
        { sid: 'question', type: 'string', value: 'How was it?' },
        { sid: 'thanks', type: 'richText', value: null },
      ],
    });
    expect(blocks[0]).toMatchObject({ state: { active: true, entered: true, exited: false } });
    expect(blocks[0]).not.toHaveProperty('containerUid');
  });

  test('of version 0 and by tags answers with the number (B1, B5)', async () => {
    const ask = (rest: string, id = 'onboarding') => api.get(`/v2/flow/${id}?${asked(rest)}`);
    expect((await ask('tag=latest')).body).toMatchObject({ version: 1 });
    expect((await ask('version=latest')).body).toMatchObject({ version: 1 });
    expect((await ask('tag=uncommitted')).body).toMatchObject({ version: 0 });
    expect((await ask('version=uncommitted', 'sketch')).body).toMatchObject({ version: 0 });
    expect((await ask('version=0', 'sketch')).body).toMatchObject({ version: 0 });
    expect((await ask('tag=latest', 'sketch')).status).toBe(404);
  });
});

describe('intents', () => {
  test('start, stop, finish and reset take effect once (S9, S10, S11, B9, B10)', async () => {
    expect(effect(await api.post(intent('start')))).toEqual(took);
    expect(effect(await api.post(intent('start')))).toEqual(tookNone);
    expect(effect(await api.post(intent('stop')))).toEqual(took);
    expect(effect(await api.post(intent('stop', '&force=false')))).toEqual(tookNone);
    expect(effect(await api.post(intent('finish')))).toEqual(took);
    expect((await api.get(flow())).body).toMatchObject({
      state: { started: true, stopped: false, finished: true },
    });
    expect(effect(await api.post(intent('reset')))).toEqual(took);
    expect((await api.get(flow())).body).toMatchObject({
      state: { started: true, stopped: false, finished: false },
    });
  });

  test('an api-only flow is entered by force alone (S9, B4)', async () => {
    expect(effect(await api.post(intent('start', '', 'invited')))).toEqual(tookNone);
    expect((await api.get(flow('', 'invited'))).body).toMatchObject({ state: { started: false } });
    expect(effect(await api.post(intent('start', '&force=true', 'invited')))).toEqual(took);
    expect(effect(await api.post(intent('reset', '', 'invited')))).toEqual(took);
    expect(effect(await api.post(intent('reset', '&force=true', 'invited')))).toEqual(took);
    for (const name of ['stop', 'finish'])
      expect((await api.post(intent(name, '&force=true', 'invited'))).status).toBe(400);
  });

  test('any object is accepted as a body and ignored, other JSON is refused (W4)', async () => {
    const headers = { 'content-type': 'application/json' };
    for (const body of ['{}', '{"force":true,"__proto__":{}}', ''])
      expect((await api.post(intent('stop'), { headers, body })).status).toBe(204);
    for (const body of ['[]', 'null', '"x"', '1', '{'])
      expect((await api.post(intent('stop'), { headers, body })).status).toBe(400);
  });

  test('an answer is kept in the event of its transition, up to 4 KiB, and never in the state (Z3)', async () => {
    await api.get(flow());
    const answer = (body: string, uid = 'u-welcome', ...names: string[]) =>
      api.post(transition(uid, ...names), {
        headers: { 'content-type': 'application/json' },
        body,
      });
    const data = { score: 9, 'why?': ['quick', 'ünïcode'], deep: { ['__proto__']: null } };
    const large = await answer(`{"data":{"text":"${'ü'.repeat(2_050)}"}}`, 'u-welcome', 'complete');
    expect(large).toMatchObject({
      status: 413,
      body: {
        code: 'payload_too_large_error',
        details:
          'data takes 4111 bytes of JSON, at most 4096 are kept with a transition; nothing was changed',
      },
    });
    // Before the query is looked at (W9).
    expect((await answer(`{"data":{"text":"${'x'.repeat(4_086)}"}}`)).status).toBe(413);
    expect((await answer(JSON.stringify({ data, other: 1 }), 'u-welcome', 'complete')).status).toBe(
      204,
    );
    for (const ignored of ['{"data":"text"}', '{"data":[1]}', '{"data":null}'])
      expect(effect(await answer(ignored, 'u-invite', 'complete'))).toMatchObject({ status: 204 });
    // Without effect nothing is kept.
    expect(effect(await answer('{"data":{"late":1}}', 'u-invite', 'complete'))).toEqual(tookNone);
    const longest = { text: 'x'.repeat(4_085) };
    expect(effect(await answer(JSON.stringify({ data: longest }), 'u-connect', 'skip'))).toEqual(
      took,
    );
    const events = await api.fixture.loadEvents(user, 'onboarding', 1);
    expect(events.map(({ event: { format, cause } }) => [format, cause])).toEqual([
      [1, { kind: 'start', force: false }],
      [1, { kind: 'transition', block: 'u-welcome', names: ['complete'], data }],
      [1, { kind: 'transition', block: 'u-invite', names: ['complete'] }],
      [1, { kind: 'transition', block: 'u-connect', names: ['skip'], data: longest }],
    ]);
    const { state } = (await api.fixture.findState(user, 'onboarding', 1))!;
    expect(JSON.stringify(state)).not.toContain('quick');
    expect(fold(events.map(({ event }) => event))).toEqual(state);
  });

  test('a key that was accepted takes no effect again and is answered as the first time (B11)', async () => {
    const again = () => api.post(intent('reset'), { headers: { 'idempotency-key': 'k-1' } });
    expect(effect(await again())).toEqual(took);
    expect(effect(await again())).toEqual(took);
    expect((await api.fixture.findState(user, 'onboarding', 1))?.revision).toBe(1);
    for (const key of ['with blank', 'x'.repeat(129)])
      expect(
        (await api.post(intent('reset'), { headers: { 'idempotency-key': key } })).status,
      ).toBe(400);
    expect(
      (await api.post(intent('reset'), { headers: { 'idempotency-key': 'x'.repeat(128) } })).status,
    ).toBe(204);
  });
});

describe('blocks', () => {
  test('are read by uid and by sid, without starting the flow (B2, S8)', async () => {
    const answer = await api.get(block('u-welcome'));
    expect(answer.body).toMatchObject({
      uid: 'u-welcome',
      sid: 'onboarding.welcome',
      state: { active: false },
    });
    expect((await api.get(block('onboarding.welcome'))).body).toEqual(answer.body);
    for (const unknown of [
      'u-nowhere',
      'onboarding.nowhere',
      'nowhere.welcome',
      'onboarding.fork',
      'u-fork',
      'onboarding.welcome.x',
    ])
      expect((await api.get(block(unknown))).status).toBe(404);
  });

  test('move by their transitions, several as one step (S12, B9)', async () => {
    await api.get(flow());
    expect(effect(await api.post(transition('u-welcome', 'complete')))).toEqual(took);
    expect(effect(await api.post(transition('u-welcome', 'complete')))).toEqual(tookNone);
    expect(effect(await api.post(transition('onboarding.invite', 'complete')))).toEqual(took);
    expect(effect(await api.post(transition('u-connect', 'skip')))).toEqual(took);
    expect((await api.get(block('u-setup'))).body).toMatchObject({
      state: { active: false, exited: true },
      transitioned: { complete: true, dismiss: false },
    });
    expect(
      effect(await api.post(transition('u-survey', 'answered', 'skipped', 'answered'))),
    ).toEqual(took);
    expect((await api.get(flow())).body).toMatchObject({ state: { finished: true } });
  });

  test('refuse names they do not have, listing those they have, whatever the state (S13)', async () => {
    const answer = await api.post(transition('u-survey', 'nope'));
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request_error' } });
    expect((answer.body as { details: string }).details).toContain('"answered", "skipped", "back"');
    expect((await api.post(transition('u-survey', ''))).status).toBe(400);
    expect((await api.post(transition('u-survey'))).status).toBe(400);
  });
});

describe('refusals', () => {
  const statusOf = async (rest: string, id = 'onboarding') =>
    (await api.get(`/v2/flow/${id}?${rest}`)).status;

  test.each([
    'version=-1',
    'version=1.5',
    'version=1e3',
    'version=007',
    'version=NaN',
    'version=',
    'version=+1',
    'tag=newest',
    'tag=',
    'tag=latest&version=1',
    'version=1&version=1',
    '',
    'version=1&include=blocks',
    'version=1&include=',
    'version=1&include=block&include=block',
    'version=1&groupIdentifier=',
    'version=1&groupIdentifier=a%00b',
    'version=1&userIdentifier=twice',
  ])('the query %p is 400 (B1, W7, W8)', async (rest) => {
    const answer = await api.get(`/v2/flow/onboarding?userIdentifier=${user}&${rest}`);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_request_error', details: expect.any(String) },
    });
  });

  test.each(['force=maybe', 'force=true&force=true', 'include=nonsense'])(
    'the known parameter %s is 400 on every route (W8)',
    async (rest) => {
      const transitions = transition('u-welcome', 'complete');
      const intents = ['start', 'stop', 'finish', 'reset'].map((name) => intent(name));
      const answers = [
        await api.get(`${flow()}&${rest}`),
        await api.get(`${block('u-welcome')}&${rest}`),
      ];
      for (const path of [transitions, ...intents]) answers.push(await api.post(`${path}&${rest}`));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
    },
  );

  test.each(['h2c', 'TLS/1.0', 'websocket'])(
    'an offer to go over to %s is ignored, and the request answered (W2)',
    async (protocol) => {
      const { key, service } = api;
      const offer = `connection: Upgrade, HTTP2-Settings, close\r\nupgrade: ${protocol}\r\nhttp2-settings: AAEAAEAAAAIAAAAB\r\n`;
      const head = `POST ${intent('stop')} HTTP/1.1\r\nx-api-key: ${key}\r\n${offer}content-type: application/json\r\n`;
      const answer = await rawExchange(service.url, `${head}content-length: 2\r\n\r\n{}`);
      expect([answer.status, answer.headers['x-dopt-intent-side-effects']]).toEqual([204, 'true']);
    },
  );

  test('identifiers have 1 to 512 code points, whatever their bytes (W7)', async () => {
    const emoji = encodeURIComponent('🙂'.repeat(512));
    expect(await statusOf(`userIdentifier=${emoji}&version=1`)).toBe(404);
    expect(await statusOf(`userIdentifier=${'x'.repeat(513)}&version=1`)).toBe(400);
    expect(await statusOf('userIdentifier=&version=1')).toBe(400);
    expect(await statusOf('userIdentifier=a%7Fb&version=1')).toBe(400);
    expect(await statusOf('version=1')).toBe(400);
  });

  test('with x-pkg-name a plus is a plus (W8)', async () => {
    await api.fixture.identify('a+b@example.com');
    const path = '/v2/flow/onboarding?userIdentifier=a+b@example.com&version=1';
    expect((await api.get(path, { headers: { 'x-pkg-name': '@dopt/javascript' } })).status).toBe(
      200,
    );
    expect((await api.get(path)).status).toBe(404);
  });

  test('unknown flows, versions of any size and users are 404, with what was unknown (B1, B3)', async () => {
    expect(await statusOf(asked(), 'nowhere')).toBe(404);
    for (const uid of ['u-nowhere', '%00', 'x'.repeat(2_000), 'ä', 'onboarding.%00'])
      expect(await api.get(block(uid))).toMatchObject({
        status: 404,
        body: { details: expect.stringContaining('no block') },
      });
    for (const version of ['2', '99999999999', '9'.repeat(400)])
      expect(await statusOf(asked(`version=${version}`))).toBe(404);
    const answer = await api.get('/v2/flow/onboarding?userIdentifier=nobody&version=1');
    expect(answer).toMatchObject({
      status: 404,
      body: { code: 'not_found_error', details: expect.stringContaining('nobody') },
    });
    expect((await api.get('/v2/flow/onboarding/begin')).status).toBe(404);
  });

  test('come in the order of the contract (W9)', async () => {
    const bad = { headers: { 'x-api-key': 'blocks-none' } };
    const json = { 'content-type': 'application/json' };
    const ask = async (path: string, options = {}) => {
      const { status, body } = await api.post(path, options);
      return `${status} ${(body as { details: string } | undefined)?.details ?? ''}`;
    };
    expect(await ask('/v2/flow/onboarding/begin', bad)).toMatch(/^404/);
    expect(await ask('/v2/flow/onboarding', bad)).toMatch(/^405/);
    expect(
      await ask('/v2/flow/nowhere/start?version=x', {
        headers: { ...json, ...bad.headers },
        body: '{',
      }),
    ).toMatch(/^401/);
    expect(await ask('/v2/flow/nowhere/start?version=x', { headers: json, body: '[]' })).toMatch(
      /^400 .*body/,
    );
    expect(
      await ask(`/v2/flow/nowhere/start?${asked('version=x')}`, { headers: json, body: '{}' }),
    ).toMatch(/^400 .*version/);
    expect(await ask('/v2/flow/nowhere/start?userIdentifier=nobody&version=1')).toMatch(
      /^404 .*flow/,
    );
    expect(await ask('/v2/flow/onboarding/start?userIdentifier=nobody&version=9')).toMatch(
      /^404 .*version/,
    );
    expect(
      await ask('/v2/block/u-survey/transition?userIdentifier=nobody&version=1&transitions=x'),
    ).toMatch(/^404 .*user/);
    expect(await ask(transition('u-survey', 'x'))).toMatch(/^400 .*transition/);
  });

  test('an archived flow is unknown everywhere, until its file is applied again (B12)', async () => {
    const sketch = defineFlow({ flow: 'old', blocks: { o1: card({ complete: 'finish' }) } });
    await api.fixture.commit(sketch);
    const catalogueKnows = (status: number) =>
      until(async () => (await api.get(flow('', 'old'))).status === status);
    await catalogueKnows(200);
    await archiveFlow(api.fixture.dataSource, 'old', { by: 'test' });
    await catalogueKnows(404);
    expect((await api.get(block('u-o1'))).status).toBe(404);
    expect((await api.post(intent('stop', '', 'old'))).status).toBe(404);
    await api.fixture.apply(sketch);
    await catalogueKnows(200);
    expect((await api.get(block('u-o1'))).body).toMatchObject({
      uid: 'u-o1',
      state: { active: true },
    });
  });

  test('keys of another environment see nothing and change nothing (R9)', async () => {
    const { key } = await createKey(
      api.fixture.dataSource,
      { environment: 'production', kind: 'blocks' },
      { by: 'test' },
    );
    const headers = { 'x-api-key': key };
    await api.get(flow());
    const answers = await Promise.all([
      api.get(flow(), { headers }),
      api.get(block('u-welcome'), { headers }),
      api.post(intent('finish'), { headers }),
      api.post(transition('u-welcome', 'complete'), { headers }),
    ]);
    const never = await api.get('/v2/flow/onboarding?userIdentifier=nobody&version=1', { headers });
    for (const { status, body } of answers) {
      const { details } = body as { details: string };
      expect({ status, details: details.replace(user, 'nobody') }).toEqual({
        status: 404,
        details: (never.body as { details: string }).details,
      });
    }
    expect((await api.fixture.findState(user, 'onboarding', 1))?.revision).toBe(1);
  });
});
