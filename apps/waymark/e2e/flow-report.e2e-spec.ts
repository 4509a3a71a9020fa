import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { card, defineFlow, modal } from '@waymark/testing/builders';
import { CommandFixture } from './command-fixture.js';

let fixture: CommandFixture;
beforeAll(async () => {
  fixture = await CommandFixture.open();
  const { fixture: database } = fixture;
  await database.commit(
    defineFlow({ flow: 'greeting', blocks: { hello: modal({ complete: 'bye' }), bye: card() } }),
  );
  await database.identifyAll(['ann', 'bob', 'cid'], (index) => ({ seats: index }));
  for (const user of ['ann', 'bob', 'cid']) await database.read(user, 'greeting');
  await database.take('ann', 'greeting', 1, 'hello', ['complete']);
});
afterAll(() => fixture.close());

const report = (...args: string[]) => fixture.run('flow', 'report', 'greeting', ...args);

test('a funnel for people, a document for programs, a table for spreadsheets (E13)', async () => {
  expect((await report()).stdout).toContain(
    '3 users: 3 started, 3 in progress, 0 finished, 0 stopped',
  );
  expect((await report('--json')).json()).toMatchObject({
    flow: 'greeting',
    version: 1,
    environment: 'development',
    started: 3,
    blocks: [
      {
        block: 'hello',
        reached: 3,
        now: 2,
        left: { complete: 1, dismiss: 0 },
        lost: 0,
        seconds: { median: expect.any(Number) },
      },
      { block: 'bye', reached: 1, now: 1 },
    ],
    branches: [],
  });
  expect((await report('--csv')).stdout.split('\r\n')).toHaveLength(3);
});

test('some users only, and what cannot be meant is refused (E13)', async () => {
  expect(
    (await report('--json', '--when', 'user.properties.seats > 0', '--version', 'all')).json(),
  ).toMatchObject({
    version: 'all',
    users: 2,
  });
  expect((await report('--json', '--sample', '1', '--since', '1d')).json()).toMatchObject({
    users: 1,
    sampled: { users: 1 },
  });
  const runs = await Promise.all([
    report('--when', 'user.properties.seats >'),
    report('--version', '9'),
    report('--version', 'latest'),
    report('--since', 'yesterday'),
    fixture.run('flow', 'report', 'nothing'),
  ]);
  expect(runs.map(({ status, stderr }) => [status, stderr.split('\n')[0]])).toEqual([
    [1, expect.stringContaining('the condition cannot be read at 1:24')],
    [1, 'waymark: flow greeting has no version 9'],
    [2, expect.stringContaining('Write a whole number')],
    [2, expect.stringContaining('Write a date')],
    [1, 'waymark: there is no flow "nothing"'],
  ]);
});

test('who met the goal of the flow, and who finished without it, by count and by name (Z7)', async () => {
  const { fixture: database } = fixture;
  await database.commit(
    defineFlow({ flow: 'aimed', goal: 'user.properties.seats > 0', blocks: { aim: modal() } }),
  );
  for (const user of ['ann', 'bob', 'cid']) await database.read(user, 'aimed');
  for (const user of ['ann', 'bob']) await database.take(user, 'aimed', 1, 'aim', ['complete']);
  const { stdout } = await fixture.run('flow', 'report', 'aimed');
  expect(stdout).toContain(
    'goal: 2 of 3 met it, 67 %; 1 finished without it (user.properties.seats > 0)',
  );
  const list = (...args: string[]) => fixture.run('user', 'list', ...args, '--json');
  const names = async (goal: string) =>
    (
      (await list('--flow', 'aimed', '--goal', goal)).json() as { users: { identifier: string }[] }
    ).users
      .map(({ identifier }) => identifier)
      .sort();
  expect([await names('met'), await names('missed')]).toEqual([['bob', 'cid'], ['ann']]);
  expect((await list('--flow', 'greeting', '--goal', 'met')).status).toBe(1);
  expect((await list('--goal', 'met')).status).toBe(2);
  expect((await fixture.run('flow', 'show', 'aimed')).stdout).toContain(
    'goal: user.properties.seats > 0',
  );
});

test('the picture of a flow with users in its blocks and shares on its paths (E14)', async () => {
  const { stdout } = await fixture.run('flow', 'graph', 'greeting', '--report', '--format', 'dot');
  expect(stdout).toContain('2 now');
  expect(stdout).toContain('[label="complete, 33 %", penwidth=3.7]');
});
