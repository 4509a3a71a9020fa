import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { userId } from '@waymark/domain/users';
import { card, defineFlow, webhook } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import type { Ended } from './run-waymark.js';
import { WarmCommand } from './warm-command.js';

const command = new WarmCommand();
let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
  const blocks = {
    hello: card({ complete: 'told', dismiss: 'finish' }),
    told: webhook('bye'),
    bye: card(),
  };
  await fixture.commit(defineFlow({ flow: 'greeting', blocks }));
  await fixture.identifyAll(['ann', 'bob', 'cid'], (index) => ({ seats: index }));
  for (const user of ['ann', 'bob', 'cid']) await fixture.read(user, 'greeting');
  await fixture.take('ann', 'greeting', 'latest', 'hello', ['complete']);
});
afterAll(async () => {
  command.close();
  await fixture.close();
});

const waymark = (...args: string[]): Promise<Ended> =>
  command.run(args, { env: { DATABASE_URL: fixture.testDatabase.url } });

test('history tells the events of a state, and the state as it was (S6)', async () => {
  const { events } = (await waymark('--json', 'history', 'ann', 'greeting')).json() as {
    events: object[];
  };
  expect(events).toMatchObject([
    { revision: 1, command: { kind: 'start' }, changes: expect.any(Array) },
    { revision: 2, command: { kind: 'transition' } },
  ]);
  expect((await waymark('--json', 'history', 'ann', 'greeting', '--at', '1')).json()).toMatchObject(
    {
      revision: 1,
      state: { started: true, blocks: { 'u-hello': { active: true } } },
    },
  );
  expect((await waymark('history', 'ann', 'greeting')).stdout).toContain(
    'transition hello complete',
  );
  expect(await waymark('history', 'ann', 'greeting', '--at', '9')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('last revision is 2'),
  });
  expect(await waymark('history', 'nobody', 'greeting')).toMatchObject({ status: 1 });
  await fixture.dataSource.query('DELETE FROM flow_events WHERE user_id = $1 AND revision = 1', [
    userId(fixture.environmentId, 'ann'),
  ]);
  expect((await waymark('history', 'ann', 'greeting')).stdout).toContain(
    'transition hello complete',
  );
  expect(await waymark('history', 'ann', 'greeting', '--at', '2')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('events before revision 2 were deleted'),
  });
});

test('histories are exported without their users, and replayed without a database (I8)', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'waymark-histories-'));
  const file = path.join(folder, 'greeting.jsonl');
  const replay = (...more: string[]) =>
    command.run(['histories', 'replay', file, ...more], { env: { DATABASE_URL: undefined } });
  expect((await waymark('histories', 'export', 'greeting', '-o', file, '--json')).json()).toEqual({
    environment: 'development',
    flow: 'greeting',
    output: file,
    users: 3,
    states: 3,
    events: 3,
  });
  const text = await readFile(file, 'utf8');
  expect(await replay()).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      /3 user\(s\), 2 state\(s\) compared, 1 without their first events, not compared, no difference/,
    ),
  });
  const printed = await waymark('histories', 'export', 'greeting', '--users', '1');
  expect(printed.stdout.split('\n').filter((line) => line.includes('"state"'))).toHaveLength(1);
  expect(printed.stderr).toContain('greeting in development: 1 user(s)');
  await writeFile(file, text.replaceAll('"active":true', '"exited":true'));
  expect((await replay('--json')).json()).toMatchObject({
    differing: 2,
    differences: [{}, {}],
  });
  expect(await replay()).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/user-\d in version 1 at revision 1: block hello: stored \(/),
  });
  await rm(folder, { recursive: true });
  expect(await replay()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('there is no such file'),
  });
  expect(await waymark('histories', 'export', 'none')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('there is no flow "none"'),
  });
  expect(await waymark('histories', 'export', 'greeting', '-o', '/no/where')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('there is no such folder'),
  });
});

test('effects list says where it stops, and failures lists what was given up (S19)', async () => {
  const list = () => waymark('effects', 'list', '--limit', '1');
  expect((await list()).stderr).toBe('');
  await fixture.dataSource.query(
    `INSERT INTO effects (user_id, flow, version, revision, position, effect, failed_at, last_error)
     VALUES ($1, 'greeting', 1, 9, 0, '{"kind":"webhook","url":"https://crm.test"}', now(), 'answered 500')`,
    [userId(fixture.environmentId, 'cid')],
  );
  expect((await list()).stderr).toContain('these are the oldest 1, and there are more: --limit');
  expect((await waymark('--json', 'failures')).json()).toMatchObject({
    failures: [{ kind: 'webhook', to: 'https://crm.test', user: 'cid', error: 'answered 500' }],
    isCut: false,
  });
  await fixture.dataSource.query('DELETE FROM effects WHERE revision = 9');
});

test('effects lists what waits, and has it carried out again (S19)', async () => {
  const { effects } = (await waymark('--json', 'effects', 'list')).json() as {
    effects: { id: string }[];
  };
  expect(effects).toMatchObject([{ user: 'ann', flow: 'greeting', effect: { kind: 'webhook' } }]);
  expect(await waymark('effects', 'retry', effects[0]!.id)).toMatchObject({ status: 0 });
  expect(await waymark('effects', 'retry', 'none')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('there is no effect'),
  });
});

test('users are listed by where they are, and by a condition', async () => {
  const list = async (...args: string[]) =>
    (
      (await waymark('--json', 'user', 'list', ...args)).json() as {
        users: { identifier: string }[];
      }
    ).users;
  const at = (await list('--flow', 'greeting', '--block', 'hello')).map(
    ({ identifier }) => identifier,
  );
  expect(at.sort()).toEqual(['bob', 'cid']);
  expect(await list('--flow', 'greeting', '--when', 'user.properties.seats == 0')).toEqual([
    {
      identifier: 'ann',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      place: { version: 1, started: true, stopped: false, finished: false, active: ['bye'] },
    },
  ]);
  expect(await list('--when', 'user.properties.seats > 0', '--limit', '1')).toHaveLength(1);
  expect(await list('--starts-with', 'an')).toMatchObject([{ identifier: 'ann' }]);
  expect(await list('--starts-with', 'An')).toEqual([]);
  const { stdout } = await waymark('user', 'list', '--flow', 'greeting', '--block', 'bye');
  expect(stdout).toMatch(/^identifier +version +state +active .*\nann +1 +started +bye /);
  expect(await waymark('user', 'list', '--block', 'bye')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--flow'),
  });
});

test('a group is shown, listed, exported and deleted with its memberships, which is asked first', async () => {
  await fixture.identifyGroup('acme', { seats: 12345678901234 });
  for (const user of ['ann', 'bob']) await fixture.join(user, 'acme');
  expect((await waymark('--json', 'group', 'show', 'acme')).json()).toMatchObject({
    identifier: 'acme',
    properties: { seats: 12345678901234 },
    members: 2,
  });
  expect((await waymark('group', 'show', 'acme')).stdout).toContain('2 users belong');
  expect((await waymark('--json', 'group', 'list')).json()).toMatchObject({
    groups: [{ identifier: 'acme' }],
  });
  const exported = (await waymark('group', 'export', 'acme')).json() as {
    members: { identifier: string }[];
  };
  expect(exported).toMatchObject({
    identifier: 'acme',
    environment: 'development',
    properties: { seats: 12345678901234 },
  });
  expect(exported.members.map(({ identifier }) => identifier).sort()).toEqual(['ann', 'bob']);
  expect(await waymark('group', 'delete', 'acme')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('to which 2 users belong, for ever; the users stay. Say --yes'),
  });
  expect((await waymark('--json', '--yes', 'group', 'delete', 'acme')).json()).toEqual({
    environment: 'development',
    identifier: 'acme',
    memberships: 2,
  });
  expect(await waymark('group', 'show', 'acme')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('never identified'),
  });
  expect((await waymark('--json', 'user', 'show', 'ann')).json()).toMatchObject({
    identifier: 'ann',
    groups: [],
  });
});

test('reset resets one, some or all, counts with --dry-run, and asks first (S10)', async () => {
  const reset = async (...args: string[]) =>
    (await waymark('--json', '--yes', 'reset', 'greeting', '--version', '1', ...args)).json();
  expect(await reset('--when', 'user.properties.seats > 0', '--dry-run')).toEqual({
    environment: 'development',
    matched: 2,
    reset: 0,
    unchanged: 0,
    failed: 0,
  });
  expect(await reset('--when', 'user.properties.seats > 0')).toEqual({
    environment: 'development',
    matched: 2,
    reset: 2,
    unchanged: 0,
    failed: 0,
    run: expect.any(String),
  });
  expect(await reset('--user', 'ann')).toEqual({
    environment: 'development',
    matched: 1,
    reset: 1,
    unchanged: 0,
    failed: 0,
  });
  expect(await reset('--all')).toMatchObject({ matched: 3, reset: 3, unchanged: 0, failed: 0 });
  expect((await fixture.findState('ann', 'greeting', 1))?.revision).toBe(4);
  const { stdout } = await waymark(
    'reset',
    'greeting',
    '--version',
    '1',
    '--when',
    'user.properties.seats > 0',
    '--dry-run',
  );
  expect(stdout).toMatch(/^development: 2 matched: (bob, cid|cid, bob); nothing was reset\n$/);
  const statuses = await Promise.all([
    waymark('reset', 'greeting', '--version', '1', '--all'),
    waymark('--yes', 'reset', 'greeting', '--version', '1'),
    waymark('--yes', 'reset', 'greeting', '--version', '1', '--all', '--user', 'ann'),
    waymark('--yes', 'reset', 'greeting', '--version', '9', '--all'),
    waymark('--yes', 'reset', 'greeting', '--version', '1', '--user', 'nobody'),
    waymark('--yes', 'reset', 'greeting', '--version', '1', '--when', 'user.seats >'),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([2, 2, 2, 1, 1, 1]);
  expect(statuses[0]!.stderr).toContain(
    'This resets version 1 of greeting for 3 users of development. Say --yes',
  );
});

test('reset says what is not there, and what cannot be read, before it asks anything', async () => {
  const reset = (flow: string, version: string, ...whom: string[]) =>
    waymark('reset', flow, '--version', version, ...whom);
  const runs = await Promise.all([
    reset('nope', '1', '--all'),
    reset('greeting', '9', '--all'),
    reset('greeting', '1', '--user', 'nobody'),
    reset('greeting', '1', '--when', 'user.properties.plan = "pro"'),
  ]);
  expect(runs.map(({ status, stderr }) => [status, stderr])).toEqual([
    [1, 'waymark: there is no flow "nope"\n'],
    [1, 'waymark: flow greeting has no such version: its newest is 1\n'],
    [1, 'waymark: user "nobody" was never identified in this environment\n'],
    [1, 'waymark: --when 1:22 found "=", but equality is written ==\n'],
  ]);
});

test('a reset of many is listed, counted and taken back, and a user is given a former state (I5, I6)', async () => {
  const json = async (...args: string[]) =>
    (await waymark('--json', '--yes', ...args)).json() as Record<string, unknown>;
  for (const user of ['bob', 'cid']) await fixture.take(user, 'greeting', 1, 'hello', ['dismiss']);
  const before = await fixture.findState('bob', 'greeting', 1);
  const { run } = (await json(
    'reset',
    'greeting',
    '--version',
    '1',
    '--all',
    '--by',
    'ann',
    '--reason',
    'oops',
  )) as {
    run: string;
  };
  await fixture.take('cid', 'greeting', 1, 'hello', ['dismiss']);
  const { resets } = (await json('resets', 'list')) as { resets: object[] };
  expect(resets[0]).toMatchObject({
    id: run,
    flow: 'greeting',
    version: 1,
    by: 'ann',
    reason: 'oops',
    matched: 3,
    reset: 3,
    unchanged: 0,
    failed: 0,
    startedAt: expect.any(String),
    finishedAt: expect.any(String),
  });
  expect(await json('resets', 'undo', run, '--dry-run')).toEqual({
    environment: 'development',
    run: null,
    restored: 2,
    movedOn: 1,
    failed: 0,
  });
  expect(await waymark('resets', 'undo', run)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--yes'),
  });
  expect(await waymark('resets', 'undo', 'none', '--yes')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('none'),
  });
  expect(await json('resets', 'undo', run)).toEqual({
    environment: 'development',
    run: expect.any(String),
    restored: 2,
    movedOn: 1,
    failed: 0,
  });
  expect((await fixture.findState('bob', 'greeting', 1))?.state).toEqual(before?.state);
  expect((await waymark('resets', 'list')).stdout).toContain(`undo of ${run}`);

  const restore = ['user', 'restore', 'bob', 'greeting', '--version', '1', '--at'];
  expect(await json(...restore, '1')).toMatchObject({
    user: 'bob',
    flow: 'greeting',
    version: 1,
    at: 1,
    restored: true,
    newerVersion: null,
  });
  expect((await waymark(...restore, '1')).stdout).toContain('nothing was changed');
  expect(await waymark(...restore, '99')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('never had revision 99'),
  });
  expect((await waymark('history', 'bob', 'greeting')).stdout).toContain('restored');
});
