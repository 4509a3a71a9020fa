import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { applySharedFile, ATTENTION_FILE, archiveFlow } from '@waymark/domain/flows';
import { branch, card, defineFlow, modal } from '@waymark/testing/builders';
import { until } from '@waymark/testing/services';
import { BlocksService } from './blocks-service.js';

let api: BlocksService;
let user: string;
let count = 0;

const welcome = defineFlow({
  flow: 'welcome',
  blocks: { hello: modal({ complete: 'finish', dismiss: 'finish' }) },
});

beforeAll(async () => {
  api = await BlocksService.open();
  await api.fixture.commit(welcome);
  await api.fixture.commit({ ...welcome, name: 'again' });
  await api.fixture.commit(
    defineFlow({
      flow: 'admins',
      target: { users: 'matching', when: 'user.properties.admin OR group.properties.admin' },
      blocks: {
        fork: branch('group.properties.admin', { true: 'of-group', false: 'alone' }),
        'of-group': card(),
        alone: card(),
      },
      start: 'fork',
    }),
  );
  await api.fixture.commit(
    defineFlow({ flow: 'invited', target: { users: 'api-only' }, blocks: { badge: card() } }),
  );
  await api.fixture.apply(defineFlow({ flow: 'sketch', blocks: { line: card() } }));
  await api.fixture.commit(defineFlow({ flow: 'newer', blocks: { next: card() } }));
  await api.fixture.commit(defineFlow({ flow: 'touched', blocks: { left: card() } }));
  await api.fixture.identifyGroup('acme', { admin: true });
});
afterAll(() => api.close());
beforeEach(async () => {
  user = `user-${++count}`;
  await api.fixture.identify(user);
});

const list = (names: string[], rest = '') =>
  `/v2/flows?userIdentifier=${user}${names.map((name) => `&flow=${name}`).join('')}${rest}`;
const single = async (name: string, rest = '') => {
  const [flow, version = 'latest'] = name.split('@');
  return (await api.get(`/v2/flow/${flow}?userIdentifier=${user}&version=${version}${rest}`)).body;
};
type Flows = {
  flows: { sid: string; version: number; state: { started: boolean }; revision: number }[];
  unknown: string[];
};

describe('GET types', () => {
  test.each(['version=1', 'transitions=complete'])(
    'a known parameter that belongs to one flow is refused: %s (W8)',
    async (parameter) => {
      const { status, body } = await api.get(
        `/v2/flows?userIdentifier=${user}&flow=welcome&${parameter}`,
      );
      expect([status, body]).toMatchObject([400, { code: 'invalid_request_error' }]);
    },
  );

  test('answers with the types of flows as text, which needs no user (B15)', async () => {
    const answer = await api.get('/v2/types?flow=welcome@1&flow=sketch@0');
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(answer.text).toContain("declare module '@waymark/client'");
    expect(answer.text.indexOf('welcome: {')).toBeLessThan(answer.text.indexOf('sketch: {'));
  });

  test('of what is not there, or named badly, are refused (B15)', async () => {
    expect(await api.get('/v2/types?flow=nowhere')).toMatchObject({
      status: 404,
      body: { code: 'not_found_error' },
    });
    expect(await api.get('/v2/types?flow=sketch')).toMatchObject({ status: 404 });
    for (const query of ['', '?flow=', '?flow=a&flow=a@1', '?flow=a@01']) {
      expect(await api.get(`/v2/types${query}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request_error' },
      });
    }
  });
});

describe('GET flows', () => {
  test('answers in the order asked, each as GET flow would, started for a user who qualifies (B13, S8)', async () => {
    const names = ['sketch@0', 'invited', 'welcome@1', 'admins@latest'];
    const answer = await api.get(list(names, '&include=block'));
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { flows, unknown } = answer.body as Flows;
    expect(unknown).toEqual([]);
    expect(
      flows.map(({ sid, version, state, revision }) => [sid, version, state.started, revision]),
    ).toEqual([
      ['sketch', 0, true, 1],
      ['invited', 1, false, 0],
      ['welcome', 1, true, 1],
      ['admins', 1, false, 0],
    ]);
    expect(flows).toEqual(await Promise.all(names.map((name) => single(name, '&include=block'))));
    const { body } = await api.get(list(names));
    expect((body as Flows).flows).toEqual(await Promise.all(names.map((name) => single(name))));
  });

  test('asks targeting about the group that is named (B13, B3)', async () => {
    const { flows } = (await api.get(list(['admins'], '&groupIdentifier=acme&include=block')))
      .body as Flows;
    expect(flows).toMatchObject([
      {
        state: { started: true },
        blocks: [{ state: { active: true } }, { state: { active: false } }],
      },
    ]);
  });

  test('migrates a user who meets a higher version, as GET flow does (B13, S28)', async () => {
    await api.get(list(['welcome@1']));
    const { flows } = (await api.get(list(['welcome']))).body as Flows;
    expect(flows).toMatchObject([{ version: 2, state: { started: true }, revision: 1 }]);
  });

  test('lists what is not there: flows, versions, archived ones and those without a commit (B13, B1, B12)', async () => {
    await api.fixture.commit(defineFlow({ flow: 'gone', blocks: { lost: card() } }));
    await archiveFlow(api.fixture.dataSource, 'gone', { by: 'test' });
    await api.fixture.catalogue.refresh();
    const names = [
      'nowhere',
      'welcome',
      'sketch',
      'welcome-2@1',
      'sketch@1',
      'admins@99999999999999999999',
    ];
    const { flows, unknown } = (await api.get(list([...names.slice(0, 2), ...names.slice(3)])))
      .body as Flows;
    expect(flows.map(({ sid }) => sid)).toEqual(['welcome']);
    expect(unknown).toEqual(['nowhere', 'welcome-2@1', 'sketch@1', 'admins@99999999999999999999']);
    expect((await api.get(list(['sketch']))).body).toEqual({
      flows: [],
      unknown: ['sketch'],
      order: [],
    });
  });

  test('what a newer release made is 503 by itself and unknown in a list; the others are served, and nothing is lost (R17)', async () => {
    expect(await single('touched')).toMatchObject({ revision: 1 });
    const { dataSource } = api.fixture;
    const ofNewer = `jsonb_set(definition::jsonb, '{format}', '3')`;
    await dataSource.query(
      `UPDATE flow_versions SET definition = ${ofNewer}::json WHERE flow = 'newer'`,
    );
    await dataSource.query(
      `UPDATE flow_states SET state = jsonb_set(state, '{format}', '3') WHERE flow = 'touched'`,
    );
    for (const request of [
      `/v2/flow/newer?userIdentifier=${user}&version=1`,
      `/v2/flow/touched?userIdentifier=${user}&version=1`,
      `/v2/block/touched.left?userIdentifier=${user}&version=1`,
    ]) {
      const answer = await api.get(request);
      expect(answer).toMatchObject({ status: 503, body: { code: 'service_unavailable_error' } });
      expect(answer.headers.get('retry-after')).not.toBeNull();
    }
    const answer = (await api.get(list(['touched', 'welcome', 'newer']))).body as Flows;
    expect(answer.flows.map(({ sid }) => sid)).toEqual(['welcome']);
    expect(answer.unknown).toEqual(['touched', 'newer']);
    const move = `/v2/block/touched.left/transition?userIdentifier=${user}&version=1&transitions=complete`;
    expect((await api.post(move)).status).toBe(503);
    expect(await api.fixture.loadEvents(user, 'touched', 1)).toHaveLength(1);
  });

  test('takes 1 to 50 names, well formed and each flow once; a bad query is refused before anything is read (B13, W8)', async () => {
    const many = (number: number) => Array.from({ length: number }, (_, index) => `none-${index}`);
    expect((await api.get(list(many(50)))).body).toMatchObject({ flows: [], unknown: many(50) });
    const refused: [string, string][] = [
      [list([]), '1 to 50 times, here 0'],
      [list(many(51)), '1 to 50 times, here 51'],
      [list(['welcome', 'welcome@1']), 'names welcome twice'],
      [list(['']), 'not \\"\\"'],
      [list(['welcome@']), 'NAME@VERSION'],
      [list(['welcome@01']), 'NAME@VERSION'],
      [list(['welcome@-1']), 'NAME@VERSION'],
      [list(['welcome@1@2']), 'NAME@VERSION'],
      [list(['-welcome']), 'NAME@VERSION'],
      [list(['__proto__']), 'NAME@VERSION'],
      [list(['a'.repeat(129)]), 'NAME@VERSION'],
      [list(['%00']), 'NAME@VERSION'],
      [list(['welcome'], '&include=blocks'), 'include'],
      [list(['welcome'], '&userIdentifier=b'), 'userIdentifier'],
      [list(['welcome'], '&groupIdentifier='), 'groupIdentifier'],
      ['/v2/flows?flow=welcome', 'userIdentifier'],
    ];
    for (const [path, details] of refused) {
      const answer = await api.get(path);
      expect([path, answer.status]).toEqual([path, 400]);
      expect(answer.text).toContain(details);
    }
    expect((await api.get(list(['constructor', 'toString']))).body).toEqual({
      flows: [],
      unknown: ['constructor', 'toString'],
      order: [],
    });
  });

  test('a user who was never identified is 404, also where no flow is known (B13, B3)', async () => {
    user = 'nobody';
    expect(await api.get(list(['welcome']))).toMatchObject({
      status: 404,
      body: { code: 'not_found_error' },
    });
    expect(await api.get(list(['nowhere']))).toMatchObject({ status: 404 });
  });

  test('keys of another environment see nothing and start nothing (R9)', async () => {
    const answer = await api.get(list(['welcome']), {
      headers: { 'x-api-key': `blocks-${'A'.repeat(43)}` },
    });
    expect(answer.status).toBe(401);
    expect(await api.fixture.findState(user, 'welcome', 2)).toBeNull();
  });
});

test('flows of a group take turns over HTTP: what waits says so, and starts when its turn comes (Q2, Q5)', async () => {
  const turn = (flow: string, priority: number) => ({
    ...defineFlow({ flow, blocks: { [`b-${flow}`]: modal({ complete: 'finish' }) } }),
    format: 2 as const,
    attention: { group: 'news', priority },
  });
  await api.fixture.commit(turn('calm', 1));
  await api.fixture.commit(turn('urgent', 9));
  const rules = { atOnce: 1, pause: 3_600_000 };
  await applySharedFile(api.fixture.dataSource, ATTENTION_FILE, new Map([['news', rules]]), {
    by: 'test',
  });
  // Replicas see flows and rules within a second.
  await until(async () => {
    user = `user-${++count}`;
    await api.fixture.identify(user);
    const { body } = await api.get(list(['calm', 'urgent']));
    return 'waits' in ((body as { flows: object[] }).flows[0] ?? {});
  });
  expect((await api.get(list(['calm', 'welcome@1', 'urgent']))).body).toMatchObject({
    flows: [
      {
        sid: 'calm',
        revision: 0,
        state: { started: false },
        waits: { group: 'news', rule: 'at-once' },
      },
      { sid: 'welcome', state: { started: true } },
      { sid: 'urgent', state: { started: true } },
    ],
    order: ['urgent', 'calm', 'welcome'],
  });
  await api.post(`/v2/flow/urgent/finish?userIdentifier=${user}&version=1`);
  const { waits } = (await single('calm')) as { waits: { until: string; seconds: number } };
  expect(waits).toEqual({
    group: 'news',
    rule: 'pause',
    until: expect.stringMatching(/Z$/),
    seconds: expect.any(Number),
  });
  expect(waits.seconds).toBeGreaterThan(3_500);
  await api.post(`/v2/flow/calm/start?userIdentifier=${user}&version=1`);
  expect(await single('calm')).toMatchObject({ state: { started: true } });
  expect(await single('calm')).not.toHaveProperty('waits');
});
