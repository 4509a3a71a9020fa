import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CommandFixture } from './command-fixture.js';

const FLOW = `flow: greeting
target: { users: matching, when: user.createdAt > now() - days(1) }
start: hello
blocks:
  hello: { type: modal, paths: { complete: is-pro, dismiss: finish } }
  is-pro: { type: branch, when: user.properties.plan == "pro", paths: { true: told, false: bye } }
  told: { type: webhook, url: "https://hooks.acme.test/", body: { user: "\${user.identifier}" }, next: bye }
  bye: { type: card, paths: { complete: finish } }
`;

let fixture: CommandFixture;
beforeAll(async () => {
  fixture = await CommandFixture.open();
  await fixture.write('greeting.yaml', FLOW);
});
afterAll(() => fixture.close());

test('a simulation takes what the user did, and shows what is done by itself (I4, Z1, Z2)', async () => {
  await fixture.write(
    'done.yaml',
    `flow: done\nstart: a\nblocks:\n a: { type: card, done: 'user.events["Paid"].count > 1 AND user.events["Paid"].first < now()', paths: { complete: finish } }\n`,
  );
  const simulate = async (events: string) =>
    fixture.runWithout(['flow', 'simulate', 'done.yaml', 'read', '--events', events]);
  const told = ['{"Paid": 2}', '{"Paid": {"count": 2, "first": "2026-05-01"}}'].map(simulate);
  expect((await Promise.all(told)).map(({ stdout }) => stdout.split('\n')[1])).toEqual([
    'read: started; active: a',
    'read: started, finished; active: nothing',
  ]);
  for (const wrong of [
    '[]',
    '{"Paid": 0}',
    '{"Paid": {"last": "3d"}}',
    '{"Paid": {"count": 1, "at": 1}}',
  ])
    expect(await simulate(wrong)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--events has to be like'),
    });
});

test('--force starts a user who is not targeted (I4, S9)', async () => {
  await fixture.write(
    'targeted.yaml',
    'flow: targeted\ntarget: { users: matching, when: user.properties.plan == "pro" }\nstart: a\nblocks:\n a: { type: card, paths: { complete: finish } }\n',
  );
  const start = async (...args: string[]) =>
    (await fixture.runWithout(['flow', 'simulate', 'targeted.yaml', 'start', ...args])).stdout;
  expect(await start()).not.toContain('active: a');
  expect(await start('--force')).toContain('start: started; active: a');
});

test('walks through a flow file without a database, for people and for tests (I4)', async () => {
  const simulate = (...args: string[]) =>
    fixture.runWithout(['flow', 'simulate', 'greeting.yaml', ...args]);
  const pro = ['--properties', '{"plan": "pro"}', '--at', '2026-05-01'];
  expect(
    (
      await simulate('read', 'hello:complete', 'hello:complete', 'bye:complete', ...pro)
    ).stdout.split('\n'),
  ).toEqual([
    'greeting, simulated; nothing was written',
    'read: started; active: hello',
    '  entered hello',
    'hello:complete: started; active: bye',
    '  left hello; entered bye',
    '  branches: is-pro is true',
    '  told would send a POST to https://hooks.acme.test/ with {"user":"somebody"}',
    'hello:complete: no effect, since hello is not active',
    'bye:complete: started, finished; active: nothing',
    '  left bye',
    '',
  ]);
  expect((await simulate('read', '--json')).json()).toMatchObject({
    steps: [{ step: 'read', tookEffect: true, active: ['hello'], effects: [] }],
  });
  const runs = await Promise.all([
    simulate('hello:jump'),
    simulate('read', '--properties', '[]'),
    simulate('read', '--properties', '{'),
    simulate(),
  ]);
  expect(runs.map(({ status }) => status)).toEqual([1, 2, 2, 2]);
});

test('walks through the draft that is stored, as a user who is there (I4)', async () => {
  await fixture.run('flow', 'apply', 'greeting.yaml');
  await fixture.fixture.identify('ann', { plan: 'free' });
  const run = await fixture.run(
    'flow',
    'simulate',
    'greeting',
    'read',
    'hello:complete',
    '--user',
    'ann',
  );
  expect(run.stdout).toContain('branches: is-pro is false');
  expect(
    await fixture.run('flow', 'simulate', 'greeting', 'read', '--user', 'nobody'),
  ).toMatchObject({ status: 1 });
  expect(await fixture.run('flow', 'simulate', 'nothing', 'read')).toMatchObject({ status: 1 });
  expect(await fixture.fixture.findState('ann', 'greeting', 0)).toBeNull();
});

describe('in an attention group', () => {
  const GROUPED = (flow: string) =>
    `flow: ${flow}\nattention: { group: news }\nstart: hi\nblocks:\n  hi: { type: card, paths: { complete: finish } }\n`;

  beforeAll(async () => {
    await fixture.write('news.yaml', GROUPED('news'));
    await fixture.write('tips.yaml', GROUPED('tips'));
    await fixture.write(
      'groups.yaml',
      'groups: { news: { at-once: 1, limit: { starts: 2, per: 7 days }, pause: 2 days } }\n',
    );
  });

  test('a flow waits by what is told of other flows, and by nothing else, without a database (Q7)', async () => {
    const simulate = async (history: string) => {
      const args = ['--at', '2026-05-08', '--attention', 'groups.yaml', '--history', history];
      return fixture.runWithout(['flow', 'simulate', 'news.yaml', 'read', 'start', ...args]);
    };
    expect((await simulate('{}')).stdout).toContain('read: started; active: hi');
    const held = await simulate('{"inProgress": {"tips": "2026-05-01", "news": "2026-05-01"}}');
    expect(held.stdout.split('\n').slice(1, 3)).toEqual([
      'read: no effect, since it waits in the attention group news: at most 1 of its flows may be in progress at once, and in progress are tips',
      'start: started; active: hi',
    ]);
    const limited = '{"starts": ["2026-05-06", "2026-05-07T12:00Z"], "ended": "2026-05-07"}';
    expect((await simulate(limited)).stdout).toContain(
      'since it waits in the attention group news: 2 of its flows were started within 7 days; time alone lets it start at 2026-05-13 00:00:00 UTC',
    );
    const wrong = await Promise.all(
      ['{', '[]', '{"started": []}', '{"starts": 1}', '{"ended": "soon"}'].map(simulate),
    );
    expect(wrong.map(({ status }) => status)).toEqual([2, 2, 2, 2, 2]);
    expect(wrong.at(-1)!.stderr).toContain('"soon" is no time');
  });

  test('a user has the history and the rules that are stored (Q7)', async () => {
    await fixture.run('attention', 'apply', 'groups.yaml');
    await fixture.run('flow', 'apply', 'news.yaml', 'tips.yaml', '--commit', '--message', 'new');
    await fixture.fixture.identify('bea');
    const simulate = () => fixture.run('flow', 'simulate', 'news', 'read', '--user', 'bea');
    expect((await simulate()).stdout).toContain('read: started');
    await fixture.fixture.catalogue.refresh();
    await fixture.fixture.read('bea', 'tips');
    expect((await simulate()).stdout).toContain('in progress are tips');
  });
});
