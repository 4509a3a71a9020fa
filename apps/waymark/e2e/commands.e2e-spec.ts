import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { userId } from '@waymark/domain/users';
import { createTestDatabase, type TestDatabase } from '@waymark/testing/postgres';
import type { DataSource } from 'typeorm';
import { type Ended, runWaymark } from './run-waymark.js';

let database: TestDatabase;
let dataSource: DataSource;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await database.connect();
  folder = await mkdtemp(path.join(tmpdir(), 'waymark-command-'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const waymark = (...args: string[]): Promise<Ended> => runWaymark(args, { env: { DATABASE_URL: database.url }, cwd: folder });

async function identify(identifier: string, properties: string): Promise<void> {
  const [environment] = (await dataSource.query("SELECT id FROM environments WHERE name = 'development'")) as { id: string }[];
  await dataSource.query('INSERT INTO users (user_id, environment_id, identifier, properties) VALUES ($1, $2, $3, $4)', [
    userId(environment!.id, identifier),
    environment!.id,
    identifier,
    properties,
  ]);
}

describe('the exit status (03)', () => {
  test('is 0 for help, 2 for wrong usage', async () => {
    const runs = await Promise.all([
      waymark('--help'),
      waymark(),
      waymark('fly'),
      waymark('key', 'create'),
      waymark('env', 'list', '--loud'),
    ]);
    expect(runs.map(({ status }) => status)).toEqual([0, 2, 2, 2, 2]);
    expect(runs[0]!.stdout).toContain('up [options]');
    expect(runs[3]!.stderr).toContain('--kind');
    expect(runs.slice(1).map(({ stdout }) => stdout)).toEqual(['', '', '', '']);
  });

  test('is 3 when the database cannot be reached, with a sentence that has no password in it', async () => {
    const away = 'postgres://someone:secret@127.0.0.1:1/waymark';
    const run = await runWaymark(['env', 'list', '--json'], { env: { DATABASE_URL: away }, cwd: folder });
    expect(run).toMatchObject({ status: 3, stderr: expect.stringMatching(/^waymark: .*DATABASE_URL.*nothing listens there\n$/) });
    expect(run.json()).toMatchObject({ error: { code: 'unreachable' } });
    expect(run.stderr).not.toContain('secret');
  });

  test('is 3 when there is no database: neither DATABASE_URL nor a local stack', async () => {
    const run = await runWaymark(['env', 'list'], { cwd: folder });
    expect(run).toMatchObject({ status: 3, stdout: '', stderr: expect.stringContaining('npm start') });
  });

  test('is 1 for what is refused, in one sentence', async () => {
    const [unknown, taken] = await Promise.all([
      waymark('key', 'list', '--env', 'nowhere', '--json'),
      waymark('env', 'create', 'production'),
    ]);
    expect(unknown).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^waymark: .*"nowhere".*development, production.*\n$/),
    });
    expect(unknown.json()).toMatchObject({ error: { code: 'environment.unknown' } });
    expect(taken).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('exists already') });
  });
});

describe('migrate (03)', () => {
  test('goes up and down, and every other command says to migrate first', async () => {
    const empty = await createTestDatabase({ empty: true });
    const onEmpty = (...args: string[]) => runWaymark(args, { env: { DATABASE_URL: empty.url }, cwd: folder });
    const [behind, status] = await Promise.all([onEmpty('env', 'list'), onEmpty('migrate', 'status', '--json')]);
    expect(behind).toMatchObject({ status: 1, stderr: expect.stringContaining('`waymark migrate up`') });
    expect(status.json()).toMatchObject({ applied: [], pending: expect.arrayContaining([expect.stringContaining('Initial')]) });
    const up = await onEmpty('migrate', 'up', '--json');
    expect(up.json()).toEqual({ applied: (status.json() as { pending: string[] }).pending, pending: [] });
    const down = await onEmpty('migrate', 'down', '--json');
    expect(down).toMatchObject({ status: 0, stderr: '' });
    expect((down.json() as { pending: string[] }).pending).toHaveLength(1);
    await empty.drop();
  });

  test('asks before it takes data away', async () => {
    await identify('in the way', '{}');
    expect(await waymark('migrate', 'down')).toMatchObject({ status: 2, stderr: expect.stringContaining('--yes') });
  });
});

test('env list and create answer environments with name and createdAt (03)', async () => {
  const created = await waymark('env', 'create', 'staging', '--json');
  expect(created.json()).toEqual({ environments: [{ name: 'staging', createdAt: expect.any(String) }] });
  const { environments } = (await waymark('env', 'list', '--json')).json() as { environments: { name: string }[] };
  expect(environments.map(({ name }) => name)).toEqual(['development', 'production', 'staging']);
});

describe('key (03)', () => {
  test('a users key is shown once, a blocks key again; revoked keys say so', async () => {
    const [users, blocks] = (await Promise.all([
      waymark('key', 'create', '--kind', 'users', '--expires', '90d', '--name', 'backend', '--env', 'production', '--json'),
      waymark('key', 'create', '--kind', 'blocks', '--env', 'production', '--json'),
    ]).then((runs) => runs.map((run) => run.json()))) as { id: string; key: string }[];
    expect(users).toMatchObject({ kind: 'users', environment: 'production', key: expect.stringMatching(/^users-.{43}$/) });
    const revoked = await waymark('key', 'revoke', users!.id, '--json');
    expect(revoked.json()).toMatchObject({ id: users!.id, revokedAt: expect.any(String) });
    const list = await waymark('key', 'list', '--env', 'production', '--json');
    expect(list.stdout).not.toContain(users!.key);
    expect(list.json()).toMatchObject({
      keys: expect.arrayContaining([
        expect.objectContaining({ id: users!.id, name: 'backend', key: null, revokedAt: expect.any(String) }),
        expect.objectContaining({ id: blocks!.id, key: blocks!.key, revokedAt: null }),
      ]),
    });
  });

  test('only the key is on stdout for people, so that it can be piped', async () => {
    const { stdout, stderr } = await waymark('key', 'create', '--kind', 'users');
    expect(stdout).toMatch(/^users-\S+\n$/);
    expect(stderr).toContain('not shown again');
  });

  test('a malformed lifetime is wrong usage, an unknown id is refused', async () => {
    const runs = await Promise.all([
      waymark('key', 'create', '--kind', 'users', '--expires', 'soon'),
      waymark('key', 'revoke', 'nobody'),
    ]);
    expect(runs.map(({ status }) => status)).toEqual([2, 1]);
  });
});

describe('user (03)', () => {
  test('show, list and export tell everything, with numbers as they were sent', async () => {
    await identify('Zoë', '{"big": 12345678901234567890}');
    const [show, list, exported] = await Promise.all([
      waymark('user', 'show', 'Zoë', '--json'),
      waymark('user', 'list', '--json'),
      waymark('user', 'export', 'Zoë', '--json'),
    ]);
    expect(show.json()).toEqual({
      identifier: 'Zoë',
      properties: { big: expect.any(Number) },
      groups: [],
      flows: [],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(show.stdout).toContain('12345678901234567890');
    expect(exported.stdout).toContain('12345678901234567890');
    expect(exported.json()).toMatchObject({ identifier: 'Zoë', states: [], events: [], effects: [], groups: [] });
    expect(list.json()).toMatchObject({ users: expect.arrayContaining([expect.objectContaining({ identifier: 'Zoë' })]) });
  });

  test('delete needs --yes off a terminal, and then nothing is left', async () => {
    await identify('leaving', '{}');
    expect(await waymark('user', 'delete', 'leaving')).toMatchObject({ status: 2, stderr: expect.stringContaining('--yes') });
    expect(await waymark('user', 'show', 'leaving')).toMatchObject({ status: 0 });
    const deleted = await waymark('user', 'delete', 'leaving', '--yes', '--json');
    expect(deleted.json()).toEqual({ identifier: 'leaving', memberships: 0, states: 0, events: 0, effects: 0 });
    expect(await waymark('user', 'delete', 'leaving', '--yes')).toMatchObject({ status: 1, stdout: '' });
  });
});
