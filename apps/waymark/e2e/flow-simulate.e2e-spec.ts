import { afterAll, beforeAll, expect, test } from '@jest/globals';
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
