import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Ended } from './run-waymark.js';
import { CommandFixture } from './command-fixture.js';

const FLOW = `flow: greeting
start: hello
blocks:
  hello: { type: modal, paths: { complete: bye } }
  bye: { type: card, paths: { complete: finish } }
`;

let fixture: CommandFixture;
beforeAll(async () => {
  fixture = await CommandFixture.open();
  await fixture.write('greeting.yaml', FLOW);
  await fixture.run('flow', 'apply', 'greeting.yaml', '--commit', '-m', 'first');
  await fixture.write('greeting.yaml', FLOW.replaceAll('bye', 'farewell'));
  await fixture.fixture.catalogue.refresh();
  await fixture.fixture.identifyAll(['ann', 'bob'], () => ({}));
  for (const user of ['ann', 'bob']) await fixture.fixture.read(user, 'greeting');
  await fixture.fixture.take('ann', 'greeting', 1, 'hello', ['complete']);
});
afterAll(() => fixture.close());

const plan = (...args: string[]): Promise<Ended> =>
  fixture.run('flow', 'plan', 'greeting.yaml', ...args);

test('tells what a commit would do, in words and as a document, and writes nothing (I2, I3)', async () => {
  expect((await plan('--examples', '2')).stdout.split('\n')).toEqual([
    'greeting version 2, carry-over, in development',
    expect.stringContaining('bye'),
    expect.stringContaining('farewell'),
    expect.any(String),
    '2 users with a state in an older version:',
    '  1 user where they were',
    '  1 user restarted, such as ann',
    '  1 user in a block that is gone: bye (1 user), such as ann',
    'note: clients that ask for a version by its number never meet this one',
    '',
  ]);
  const { plans } = (await plan('--json', '--migration', 'all', '--entries')).json() as {
    plans: object[];
  };
  expect(plans).toMatchObject([
    {
      flow: 'greeting',
      environment: 'development',
      version: 2,
      migration: 'carry-over',
      users: {
        kept: 1,
        restarted: 1,
        stopped: 0,
        finished: 0,
        losing: 1,
        lost: { bye: 1 },
        gates: {},
        dependsOnGroup: 0,
      },
      effects: {},
      entries: { enter: 0, leave: 0 },
      examples: [],
    },
    { migration: 'restart-in-progress', users: { restarted: 2 } },
    { migration: 'restart-all', users: { restarted: 2 } },
    { migration: 'stop-in-progress', users: { stopped: 2 } },
  ]);
  expect((await fixture.run('flow', 'diff', 'greeting')).stdout).toContain('are the same');
});

test('a pull request that would restart users fails with a sentence that says how many (I3)', async () => {
  const run = await plan('--forbid', 'restarts,stops,drops');
  expect(run).toMatchObject({ status: 1, stdout: '' });
  expect(run.stderr).toContain(
    'waymark: forbidden: greeting (carry-over): it restarts 1 user; greeting (carry-over): it drops blocks with users in them: bye (1 user)',
  );
  expect((await plan('--json', '--forbid', 'restarts')).json()).toMatchObject({
    plans: [{ users: { restarted: 1 } }],
    forbidden: ['greeting (carry-over): it restarts 1 user'],
  });
  expect(await plan('--forbid', 'stops,finishes')).toMatchObject({ status: 0 });
  expect(await plan('--forbid', 'everything')).toMatchObject({ status: 2 });
  expect(await plan('--sample', '1', '--json')).toMatchObject({ status: 0 });
});

test('a file with a problem is not planned', async () => {
  await fixture.write('broken.yaml', FLOW.replace('bye', 'by'));
  expect(await fixture.run('flow', 'plan', 'broken.yaml')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('nothing was planned'),
  });
});
