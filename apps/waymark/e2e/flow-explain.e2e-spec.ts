import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { CommandFixture } from './command-fixture.js';

let fixture: CommandFixture;
beforeAll(async () => {
  fixture = await CommandFixture.open();
  const target = { users: 'matching', when: 'user.properties.plan == "pro"' } as const;
  await fixture.fixture.commit(defineFlow({ flow: 'greeting', target, blocks: { hello: card() } }));
  await fixture.fixture.identify('ann', { plan: 'free' });
});
afterAll(() => fixture.close());

test('says why a user does not see a flow, in sentences and as a document (I1)', async () => {
  const run = await fixture.run('flow', 'explain', 'greeting', 'ann');
  expect(run).toMatchObject({ status: 0, stderr: '' });
  expect(run.stdout.split('\n')).toEqual([
    'ann and greeting, in development',
    '- latest is version 1',
    '- the user has never been in this flow',
    '- it does not start for this user: user.properties.plan == "pro" does not hold',
    '- user.properties.plan == "pro" is false: user.properties.plan is "free"',
    '',
  ]);
  expect((await fixture.run('--json', 'flow', 'explain', 'greeting', 'ann')).json()).toMatchObject({
    user: 'ann',
    flow: 'greeting',
    version: 1,
    identified: true,
    wouldStart: false,
    condition: { source: 'user.properties.plan == "pro"', value: false },
    active: [],
  });
  expect(await fixture.run('flow', 'explain', 'greeting', 'stranger')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('never identified'),
  });
  expect(await fixture.run('flow', 'explain', 'nothing', 'ann')).toMatchObject({ status: 1 });
});
