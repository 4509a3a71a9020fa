import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { archiveFlow } from '@waymark/domain/flows';
import { branch, card, defineFlow, modal } from '@waymark/testing/builders';
import { BlocksService } from './blocks-service.js';

let api: BlocksService;
let user: string;
let count = 0;

const welcome = defineFlow({ flow: 'welcome', blocks: { hello: modal({ complete: 'finish', dismiss: 'finish' }) } });

beforeAll(async () => {
  api = await BlocksService.open();
  await api.stage.commit(welcome);
  await api.stage.commit({ ...welcome, name: 'again' });
  await api.stage.commit(
    defineFlow({
      flow: 'admins',
      target: { users: 'matching', when: 'user.properties.admin OR group.properties.admin' },
      blocks: { fork: branch('group.properties.admin', { true: 'of-group', false: 'alone' }), 'of-group': card(), alone: card() },
      start: 'fork',
    }),
  );
  await api.stage.commit(defineFlow({ flow: 'invited', target: { users: 'api-only' }, blocks: { badge: card() } }));
  await api.stage.apply(defineFlow({ flow: 'sketch', blocks: { line: card() } }));
  await api.stage.identifyGroup('acme', { admin: true });
});
afterAll(() => api.close());
beforeEach(async () => {
  user = `user-${++count}`;
  await api.stage.identify(user);
});

const list = (names: string[], rest = '') =>
  `/v2/flows?userIdentifier=${user}${names.map((name) => `&flow=${name}`).join('')}${rest}`;
const single = async (name: string, rest = '') => {
  const [flow, version = 'latest'] = name.split('@');
  return (await api.get(`/v2/flow/${flow}?userIdentifier=${user}&version=${version}${rest}`)).body;
};
type Flows = { flows: { sid: string; version: number; state: { started: boolean }; revision: number }[]; unknown: string[] };

describe('GET types', () => {
  test('answers with the types of flows as text, which needs no user (B15)', async () => {
    const answer = await api.get('/v2/types?flow=welcome@1&flow=sketch@0');
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(answer.text).toContain("declare module '@waymark/client'");
    expect(answer.text.indexOf('welcome: {')).toBeLessThan(answer.text.indexOf('sketch: {'));
  });

  test('of what is not there, or named badly, are refused (B15)', async () => {
    expect(await api.get('/v2/types?flow=nowhere')).toMatchObject({ status: 404, body: { code: 'not_found_error' } });
    expect(await api.get('/v2/types?flow=sketch')).toMatchObject({ status: 404 });
    for (const query of ['', '?flow=', '?flow=a&flow=a@1', '?flow=a@01']) {
      expect(await api.get(`/v2/types${query}`)).toMatchObject({ status: 400, body: { code: 'invalid_request_error' } });
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
    expect(flows.map(({ sid, version, state, revision }) => [sid, version, state.started, revision])).toEqual([
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
    const { flows } = (await api.get(list(['admins'], '&groupIdentifier=acme&include=block'))).body as Flows;
    expect(flows).toMatchObject([
      { state: { started: true }, blocks: [{ state: { active: true } }, { state: { active: false } }] },
    ]);
  });

  test('migrates a user who meets a higher version, as GET flow does (B13, S28)', async () => {
    await api.get(list(['welcome@1']));
    const { flows } = (await api.get(list(['welcome']))).body as Flows;
    expect(flows).toMatchObject([{ version: 2, state: { started: true }, revision: 1 }]);
  });

  test('lists what is not there: flows, versions, archived ones and those without a commit (B13, B1, B12)', async () => {
    await api.stage.commit(defineFlow({ flow: 'gone', blocks: { lost: card() } }));
    await archiveFlow(api.stage.dataSource, 'gone', { by: 'test' });
    await api.stage.catalogue.refresh();
    const names = ['nowhere', 'welcome', 'sketch', 'welcome-2@1', 'sketch@1', 'admins@99999999999999999999'];
    const { flows, unknown } = (await api.get(list([...names.slice(0, 2), ...names.slice(3)]))).body as Flows;
    expect(flows.map(({ sid }) => sid)).toEqual(['welcome']);
    expect(unknown).toEqual(['nowhere', 'welcome-2@1', 'sketch@1', 'admins@99999999999999999999']);
    expect((await api.get(list(['sketch']))).body).toEqual({ flows: [], unknown: ['sketch'] });
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
    expect((await api.get(list(['constructor', 'toString']))).body).toEqual({ flows: [], unknown: ['constructor', 'toString'] });
  });

  test('a user who was never identified is 404, also where no flow is known (B13, B3)', async () => {
    user = 'nobody';
    expect(await api.get(list(['welcome']))).toMatchObject({ status: 404, body: { code: 'not_found_error' } });
    expect(await api.get(list(['nowhere']))).toMatchObject({ status: 404 });
  });

  test('keys of another environment see nothing and start nothing (R9)', async () => {
    const answer = await api.get(list(['welcome']), { headers: { 'x-api-key': `blocks-${'A'.repeat(43)}` } });
    expect(answer.status).toBe(401);
    expect(await api.stage.findState(user, 'welcome', 2)).toBeNull();
  });
});
