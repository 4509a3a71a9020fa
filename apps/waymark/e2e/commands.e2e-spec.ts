import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase } from '@waymark/testing/postgres';
import { CommandFixture } from './command-fixture.js';
import { type Ended, ROOT, runWaymark } from './run-waymark.js';

let fixture: CommandFixture;
beforeAll(async () => {
  fixture = await CommandFixture.open();
});
afterAll(() => fixture.close());

const waymark = (...args: string[]): Promise<Ended> => fixture.run(...args);

test('--version tells the release and the commit, before a command only', async () => {
  const { version } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  const said = await waymark('--version');
  expect(said).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^waymark \S+ \(([0-9a-f]{12}|unknown)\)\n$/),
  });
  expect(said.stdout).toContain(` ${version} `);
  expect((await waymark('--version', '--json')).json()).toEqual({
    version,
    commit: expect.any(String),
  });
  expect(await waymark('flow', 'show', 'nope', '--version', '3')).toMatchObject({ status: 1 });
});

describe('the exit status', () => {
  test('WAYMARK_ENV is the environment of commands that name none, and answers that are empty or destroy something name theirs', async () => {
    const run = (...args: string[]) =>
      fixture.runWithout(args, { ...fixture.environment.env, WAYMARK_ENV: 'production' });
    const empty = [
      ['effects', 'list'],
      ['endpoint', 'list'],
      ['resets', 'list'],
      ['group', 'list'],
    ];
    for (const line of empty) {
      expect((await run(...line)).stdout).toMatch(/ in production\n$/);
      expect((await run('--json', ...line)).json()).toMatchObject({ environment: 'production' });
    }
    const pruned = ['events', 'prune', '--before', '2000-01-01', '--yes'];
    expect((await run(...pruned)).stdout).toBe('production: 0 events deleted\n');
    expect((await run(...pruned, '--env', 'development')).stdout).toBe(
      'development: 0 events deleted\n',
    );
    expect((await run(...pruned, '--env', 'nowhere')).status).toBe(1);
  });

  test('is 0 for help, 2 for wrong usage', async () => {
    const runs = await Promise.all([
      waymark('--help'),
      waymark(),
      waymark('fly'),
      waymark('key', 'create'),
      waymark('env', 'list', '--loud'),
    ]);
    expect(runs.map(({ status }) => status)).toEqual([0, 2, 2, 2, 2]);
    const helps = await Promise.all([
      waymark('help'),
      waymark('help', 'key'),
      waymark('key', '--help'),
    ]);
    expect(helps).toMatchObject([
      { status: 0, stdout: runs[0]!.stdout },
      { status: 0, stdout: helps[2]!.stdout },
      { status: 0, stdout: expect.stringContaining('create [options]') },
    ]);
    expect(runs[0]!.stdout).toContain('up [options]');
    expect(runs[3]!.stderr).toContain('--kind');
    expect(runs.slice(1).map(({ stdout }) => stdout)).toEqual(['', '', '', '']);
  });

  test('wrong usage is a document with --json, as every refusal is', async () => {
    const runs = await Promise.all([
      waymark('fly', '--json'),
      waymark('--json'),
      waymark('key', 'create', '--kind', 'cars', '--json'),
      waymark('up', '--json'),
    ]);
    expect(runs.map(({ status }) => status)).toEqual([2, 2, 2, 2]);
    expect(runs.map((run) => run.json())).toEqual([
      { error: { code: 'usage', message: "unknown command 'fly' (Did you mean flow?)" } },
      { error: { code: 'usage', message: 'a command is missing; see --help' } },
      {
        error: {
          code: 'usage',
          message: expect.stringContaining('Allowed choices are users, blocks'),
        },
      },
      { error: { code: 'usage', message: expect.stringContaining('leave --json out') } },
    ]);
  });

  test('is 3 when the database cannot be reached, with a sentence that has no password in it', async () => {
    const away = 'postgres://someone:secret@127.0.0.1:1/waymark';
    const run = await runWaymark(['env', 'list', '--json'], {
      env: { DATABASE_URL: away },
      cwd: fixture.folder,
    });
    expect(run).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(
        /^waymark: .*DATABASE_URL.*nothing listens there \(ECONNREFUSED\)\n$/,
      ),
    });
    expect(run.json()).toMatchObject({ error: { code: 'unreachable' } });
    expect(run.stderr).not.toContain('secret');
  });

  test('is 3 when there is no database: neither DATABASE_URL nor a local stack', async () => {
    const run = await runWaymark(['env', 'list'], { cwd: fixture.folder });
    expect(run).toMatchObject({
      status: 3,
      stdout: '',
      stderr: expect.stringContaining('npm start'),
    });
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
    expect(taken).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('exists already'),
    });
  });
});

describe('migrate', () => {
  test('goes up and down, and every other command says to migrate first', async () => {
    const empty = await createTestDatabase({ empty: true });
    const onEmpty = (...args: string[]) => fixture.runWithout(args, { DATABASE_URL: empty.url });
    const [behind, status] = await Promise.all([
      onEmpty('env', 'list'),
      onEmpty('migrate', 'status', '--json'),
    ]);
    expect(behind).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('`waymark migrate up`'),
    });
    expect(status.json()).toMatchObject({
      applied: [],
      pending: expect.arrayContaining([expect.stringContaining('Initial')]),
    });
    const up = await onEmpty('migrate', 'up', '--json');
    expect(up.json()).toEqual({
      applied: (status.json() as { pending: string[] }).pending,
      pending: [],
    });
    const older = await empty.connect();
    await older.query("SET application_name = 'blocks-api'");
    expect(await onEmpty('migrate', 'finish')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('(1 connection of blocks-api in pg_stat_activity)'),
    });
    await older.destroy();
    const finished = await onEmpty('migrate', 'finish', '--json');
    expect(finished.json()).toEqual({ level: 2, raised: false });
    const down = await onEmpty('migrate', 'down', '--json');
    expect(down).toMatchObject({ status: 0, stderr: '' });
    expect((down.json() as { pending: string[] }).pending).toHaveLength(1);
    await empty.drop();
  });

  test('asks before it takes data away', async () => {
    await fixture.fixture.identify('in the way');
    expect(await waymark('migrate', 'down')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--yes'),
    });
  });
});

test('env list and create answer environments with name, verification and createdAt (V5)', async () => {
  const created = await waymark('env', 'create', 'staging', '--json');
  expect(created.json()).toEqual({
    environments: [
      {
        name: 'staging',
        verification: 'off',
        releases: 'by commit',
        createdAt: expect.any(String),
      },
    ],
  });
  const { environments } = (await waymark('env', 'list', '--json')).json() as {
    environments: { name: string }[];
  };
  expect(environments.map(({ name }) => name)).toEqual(['development', 'production', 'staging']);
});

describe('key', () => {
  test('a users key is shown once, a blocks key again; revoked keys say so', async () => {
    const [users, blocks] = (await Promise.all([
      waymark(
        'key',
        'create',
        '--kind',
        'users',
        '--expires',
        '90d',
        '--name',
        'backend',
        '--env',
        'production',
        '--json',
      ),
      waymark('key', 'create', '--kind', 'blocks', '--env', 'production', '--json'),
    ]).then((runs) => runs.map((run) => run.json()))) as { id: string; key: string }[];
    expect(users).toMatchObject({
      kind: 'users',
      environment: 'production',
      key: expect.stringMatching(/^users-.{43}$/),
    });
    const revoked = await waymark('key', 'revoke', users!.id, '--json');
    expect(revoked.json()).toMatchObject({ id: users!.id, revokedAt: expect.any(String) });
    const list = await waymark('key', 'list', '--env', 'production', '--json');
    expect(list.stdout).not.toContain(users!.key);
    expect(list.json()).toMatchObject({
      keys: expect.arrayContaining([
        expect.objectContaining({
          id: users!.id,
          name: 'backend',
          key: null,
          revokedAt: expect.any(String),
        }),
        expect.objectContaining({ id: blocks!.id, key: blocks!.key, revokedAt: null }),
      ]),
    });
  });

  test.each(['', 'x'.repeat(129)])('cannot be named %j', async (name) => {
    expect(await waymark('key', 'create', '--kind', 'users', '--name', name)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `waymark: the name of a key has 1 to 128 characters, this one has ${name.length}\n`,
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

describe('user', () => {
  test('show, list and export tell everything, with numbers as they were sent', async () => {
    await fixture.fixture.identify('Zoë');
    await fixture.fixture.dataSource.query(
      `UPDATE users SET properties = '{"big": 12345678901234567890}' WHERE identifier = 'Zoë'`,
    );
    const [show, list, exported] = await Promise.all([
      waymark('user', 'show', 'Zoë', '--json'),
      waymark('user', 'list', '--json'),
      waymark('user', 'export', 'Zoë', '--json'),
    ]);
    expect(show.json()).toEqual({
      identifier: 'Zoë',
      properties: { big: expect.any(Number) },
      groups: [],
      events: [],
      flows: [],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(show.stdout).toContain('12345678901234567890');
    expect(exported.stdout).toContain('12345678901234567890');
    expect(exported.json()).toMatchObject({
      identifier: 'Zoë',
      states: [],
      events: [],
      effects: [],
      groups: [],
    });
    expect(list.json()).toMatchObject({
      users: expect.arrayContaining([expect.objectContaining({ identifier: 'Zoë' })]),
    });
  });

  test('nothing that a client sends acts on the terminal of who looks', async () => {
    await fixture.fixture.identify('\u001b[2Jgone');
    const [show, list] = await Promise.all([
      waymark('user', 'show', '\u001b[2Jgone'),
      waymark('user', 'list'),
    ]);
    for (const { stdout } of [show, list]) {
      expect(stdout).toContain('\\u001b[2Jgone');
      expect(stdout).not.toContain('\u001b');
    }
  });

  test('delete needs --yes off a terminal, and then nothing is left', async () => {
    await fixture.fixture.identify('leaving');
    expect(await waymark('user', 'delete', 'leaving')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--yes'),
    });
    expect(await waymark('user', 'show', 'leaving')).toMatchObject({ status: 0 });
    const deleted = await waymark('user', 'delete', 'leaving', '--yes', '--json');
    expect(deleted.json()).toEqual({
      environment: 'development',
      identifier: 'leaving',
      memberships: 0,
      states: 0,
      events: 0,
      effects: 0,
    });
    expect(await waymark('user', 'delete', 'leaving', '--yes')).toMatchObject({
      status: 1,
      stdout: '',
    });
  });
});
