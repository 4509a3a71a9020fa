import { userInfo } from 'node:os';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CommandStage } from './command-stage.js';
import { runWaymark } from './run-waymark.js';

let stage: CommandStage;
beforeAll(async () => {
  stage = await CommandStage.open();
});
afterAll(() => stage.close());

const list = async (...args: string[]) =>
  ((await stage.run('audit', 'list', '--json', ...args)).json() as { entries: Record<string, unknown>[] }).entries;

test('the audit log names --by, else WAYMARK_BY, else the account, and has the reason (I7)', async () => {
  const env = { DATABASE_URL: stage.stage.testDatabase.url };
  await stage.run('env', 'create', 'first', '--by', 'ann', '--reason', 'for the fair');
  await runWaymark(['env', 'create', 'second', '--by', 'ann'], { env: { ...env, WAYMARK_BY: 'ci' } });
  await runWaymark(['env', 'create', 'third'], { env: { ...env, WAYMARK_BY: 'ci' } });
  await stage.run('env', 'create', 'fourth');
  expect((await list('--what', 'environment')).map(({ by, subject, reason }) => [subject, by, reason])).toEqual([
    ['fourth', userInfo().username, null],
    ['third', 'ci', null],
    ['second', 'ann', null],
    ['first', 'ann', 'for the fair'],
  ]);
  expect(await list('--by', 'ci')).toHaveLength(1);
  expect(await list('--since', '2000-01-01T00:00+02:00')).toHaveLength(4);
  expect(await stage.run('audit', 'list', '--since', 'yesterday')).toMatchObject({ status: 2 });
  expect((await stage.run('audit', 'list')).stdout).toMatch(/ann +environment\.create +first +first +done +for the fair\n/);
});

test('pruning the log asks first, and leaves a row (I7)', async () => {
  expect(await stage.run('audit', 'prune', '--before', '2999-01-01')).toMatchObject({ status: 2, stdout: '' });
  const pruned = await stage.run('audit', 'prune', '--before', '2999-01-01', '--yes', '--json');
  expect(pruned.json()).toEqual({ deleted: expect.any(Number) });
  expect(await list()).toMatchObject([{ action: 'audit.prune', result: { outcome: 'done' } }]);
});
