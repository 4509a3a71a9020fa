import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listAudit } from '@waymark/domain/database/audit';
import { userId } from '@waymark/domain/users';
import { listCommands } from '../src/command-line/list-commands.js';
import { createProgram } from '../src/command-line/run-command-line.js';
import { COMMANDS } from '../src/commands/index.js';
import { CommandFixture } from './command-fixture.js';

let fixture: CommandFixture;
beforeAll(async () => {
  fixture = await CommandFixture.open();
});
afterAll(() => fixture.close());

const list = async (...args: string[]) =>
  (
    (await fixture.run('audit', 'list', '--json', ...args)).json() as {
      entries: Record<string, unknown>[];
    }
  ).entries;

test('the audit log names --by, else WAYMARK_BY, else the account, and has the reason (I7)', async () => {
  const env = { DATABASE_URL: fixture.fixture.testDatabase.url, WAYMARK_BY: 'ci' };
  await fixture.run('env', 'create', 'first', '--by', 'ann', '--reason', 'for the fair');
  await fixture.runWithout(['env', 'create', 'second', '--by', 'ann'], env);
  await fixture.runWithout(['env', 'create', 'third'], env);
  await fixture.run('env', 'create', 'fourth');
  expect(
    (await list('--what', 'environment')).map(({ by, subject, reason }) => [subject, by, reason]),
  ).toEqual([
    ['fourth', userInfo().username, null],
    ['third', 'ci', null],
    ['second', 'ann', null],
    ['first', 'ann', 'for the fair'],
  ]);
  expect(await list('--by', 'ci')).toHaveLength(1);
  expect(await list('--since', '2000-01-01T00:00+02:00')).toHaveLength(4);
  expect(await fixture.run('audit', 'list', '--since', 'yesterday')).toMatchObject({ status: 2 });
  expect((await fixture.run('audit', 'list')).stdout).toMatch(
    /ann +environment\.create +first +first +done +for the fair\n/,
  );
});

test('pruning the log asks first, and leaves a row (I7)', async () => {
  expect(await fixture.run('audit', 'prune', '--before', '2999-01-01')).toMatchObject({
    status: 2,
    stdout: '',
  });
  const pruned = await fixture.run('audit', 'prune', '--before', '2999-01-01', '--yes', '--json');
  expect(pruned.json()).toEqual({ deleted: expect.any(Number) });
  expect(await list()).toMatchObject([{ action: 'audit.prune', result: { outcome: 'done' } }]);
});

const rowsBy = (by: string) => listAudit(fixture.fixture.dataSource.manager, { by });

/** Commands that leave no row: they only look, or are about the schema and the local stack. */
const UNRECORDED = [
  'up',
  'migrate up',
  'migrate status',
  'migrate finish',
  'migrate down',
  'migrate distribute',
  'env list',
  'key list',
  'signer list',
  'flow validate',
  'flow list',
  'flow show',
  'flow export',
  'flow texts export',
  'flow diff',
  'flow graph',
  'user show',
  'user list',
  'user export',
  'group show',
  'group list',
  'group export',
  'history',
  'histories export',
  'histories replay',
  'effects list',
  'failures',
  'audit list',
  'mcp',
  'resets list',
  'studio',
  'flow plan',
  'attention show',
  'attention diff',
  'attention export',
  'segment show',
  'segment diff',
  'segment export',
  'flow simulate',
  'endpoint list',
  'endpoint failures',
  'endpoint test',
  'events export',
  'types',
  'flow report',
  'flow explain',
  'flow versions',
  'flow schema',
];

interface Recorded {
  /** What is requested; may need something that the row before it made. */
  args: () => string[] | Promise<string[]>;
  action: string;
  /** The table on which it is broken off half-way. */
  breaks: string;
}

const FLOW =
  'flow: told\nstart: call\nblocks:\n  call: { type: webhook, url: https://hooks.acme.test, next: hello }\n';
const fileOf = (title: string) =>
  `${FLOW}  hello: { type: modal, fields: { title: ${title} }, paths: { complete: finish } }\n`;
const newest = async (column: string, table: string) =>
  (
    (await fixture.fixture.dataSource.query(
      `SELECT ${column} AS found FROM ${table} ORDER BY created_at DESC LIMIT 1`,
    )) as {
      found: string;
    }[]
  )[0]!.found;

/** Every command that changes something, in an order in which each has something to change. */
const RECORDED: Record<string, Recorded> = {
  'env create': {
    args: () => ['env', 'create', 'fair'],
    action: 'environment.create',
    breaks: 'environments',
  },
  'env releases': {
    args: () => ['env', 'releases', 'fair', '--by-pin'],
    action: 'environment.releases',
    breaks: 'environments',
  },
  'env verify': {
    args: () => ['env', 'verify', 'fair', 'observe'],
    action: 'environment.verify',
    breaks: 'reference_revisions',
  },
  'signer create': {
    args: () => ['signer', 'create', 'one'],
    action: 'signer.add',
    breaks: 'reference_revisions',
  },
  'signer add': {
    args: async () => {
      const { publicKey } = generateKeyPairSync('ed25519');
      const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
      return ['signer', 'add', 'two', '--public-key', await fixture.write('two.pem', pem)];
    },
    action: 'signer.add',
    breaks: 'reference_revisions',
  },
  'signer remove': {
    args: () => ['signer', 'remove', 'two'],
    action: 'signer.remove',
    breaks: 'reference_revisions',
  },
  'key create': {
    args: () => ['key', 'create', '--kind', 'blocks'],
    action: 'key.create',
    breaks: 'reference_revisions',
  },
  'key revoke': {
    args: async () => ['key', 'revoke', await newest('id', 'api_keys')],
    action: 'key.revoke',
    breaks: 'reference_revisions',
  },
  'flow apply': {
    args: async () => [
      'flow',
      'apply',
      await fixture.write('told.yaml', fileOf('One')),
      '--commit',
      '-m',
      'first',
    ],
    action: 'flow.commit',
    breaks: 'reference_revisions',
  },
  'flow commit': {
    args: async () => {
      await fixture.run(
        'flow',
        'apply',
        await fixture.write('told.yaml', fileOf('Two')),
        '--by',
        'somebody else',
      );
      return ['flow', 'commit', 'told', '-m', 'second'];
    },
    action: 'flow.commit',
    breaks: 'reference_revisions',
  },
  'flow texts import': {
    args: async () => {
      const flow = `language: en\n${fileOf('Two')}`;
      await fixture.run(
        'flow',
        'apply',
        await fixture.write('told.yaml', flow),
        '--by',
        'somebody',
      );
      const texts = { 'hello.title': { from: 'Two', to: 'Zwei' } };
      const file = JSON.stringify({ flow: 'told', language: 'de', texts });
      return ['flow', 'texts', 'import', await fixture.write('de.json', file)];
    },
    action: 'flow.apply',
    breaks: 'reference_revisions',
  },
  'flow pin': {
    args: () => ['flow', 'pin', 'told', '--version', '1'],
    action: 'flow.pin',
    breaks: 'flow_pins',
  },
  'flow unpin': {
    args: () => ['flow', 'unpin', 'told'],
    action: 'flow.unpin',
    breaks: 'flow_pins',
  },
  'attention apply': {
    args: async () => [
      'attention',
      'apply',
      await fixture.write('attention.yaml', 'groups: { news: { at-once: 1 } }\n'),
    ],
    action: 'attention.apply',
    breaks: 'attention_groups',
  },
  'segment apply': {
    args: async () => [
      'segment',
      'apply',
      await fixture.write('segments.yaml', 'segments: { adas: user.identifier == "ada" }\n'),
    ],
    action: 'segment.apply',
    breaks: 'segments',
  },
  'env webhook-secret': {
    args: () => ['env', 'webhook-secret', '--rotate'],
    action: 'environment.rotate-webhook-secret',
    breaks: 'environments',
  },
  'endpoint add': {
    args: () => [
      'endpoint',
      'add',
      'https://hooks.acme.test',
      '--name',
      'crm',
      '--header',
      'authorization: Bearer hidden',
    ],
    action: 'endpoint.add',
    breaks: 'endpoint_progress',
  },
  'endpoint pause': {
    args: () => ['endpoint', 'pause', 'crm'],
    action: 'endpoint.pause',
    breaks: 'endpoints',
  },
  'endpoint resume': {
    args: () => ['endpoint', 'resume', 'crm'],
    action: 'endpoint.resume',
    breaks: 'endpoint_progress',
  },
  'endpoint replay': {
    args: () => ['endpoint', 'replay', 'crm', '--from', 'beginning'],
    action: 'endpoint.replay',
    breaks: 'endpoint_progress',
  },
  'endpoint rotate-secret': {
    args: () => ['endpoint', 'rotate-secret', 'crm'],
    action: 'endpoint.rotate-secret',
    breaks: 'endpoints',
  },
  'endpoint remove': {
    args: () => ['endpoint', 'remove', 'crm'],
    action: 'endpoint.remove',
    breaks: 'endpoints',
  },
  'effects retry': {
    args: async () => {
      await fixture.fixture.identify('ann');
      await fixture.fixture.catalogue.refresh();
      await fixture.fixture.read('ann', 'told', 2);
      return ['effects', 'retry', await newest('id', 'effects')];
    },
    action: 'effect.retry',
    breaks: 'effects',
  },
  reset: {
    args: async () => {
      await fixture.fixture.take('ann', 'told', 2, 'hello', ['complete']);
      return ['reset', 'told', '--version', '2', '--when', 'user.identifier == "ann"'];
    },
    action: 'reset.run',
    breaks: 'flow_states',
  },
  'resets undo': {
    args: async () => ['resets', 'undo', await newest('id', 'reset_runs')],
    action: 'reset.undo',
    breaks: 'flow_states',
  },
  'user restore': {
    args: () => ['user', 'restore', 'ann', 'told', '--version', '2', '--at', '1'],
    action: 'state.restore',
    breaks: 'flow_states',
  },
  'group delete': {
    args: async () => {
      await fixture.fixture.identifyGroup('acme');
      return ['group', 'delete', 'acme'];
    },
    action: 'group.delete',
    breaks: 'groups',
  },
  'user delete': {
    args: () => ['user', 'delete', 'ann'],
    action: 'user.delete',
    breaks: 'effects',
  },
  'events prune': {
    args: () => ['events', 'prune', '--before', '2000-01-01'],
    action: 'events.prune',
    breaks: 'flow_events',
  },
  'flow revert': {
    args: () => ['flow', 'revert', 'told', '--to', '1'],
    action: 'flow.revert',
    breaks: 'reference_revisions',
  },
  'flow archive': {
    args: () => ['flow', 'archive', 'told'],
    action: 'flow.archive',
    breaks: 'reference_revisions',
  },
  'audit prune': {
    args: () => ['audit', 'prune', '--before', '2000-01-01'],
    action: 'audit.prune',
    breaks: 'audit_log',
  },
};

test('every command is known to leave a row in the audit log, or to need none (I7)', () => {
  const known = [...UNRECORDED, ...Object.keys(RECORDED)];
  const names = listCommands(createProgram(COMMANDS)).map(({ name }) => name);
  expect(known.sort()).toEqual(names.sort());
});

describe('a command that changes something', () => {
  beforeAll(() =>
    fixture.fixture.dataSource
      .query(`CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'broken off'; END $$`),
  );

  const breakOff = async (table: string, work: () => Promise<unknown>) => {
    const { dataSource } = fixture.fixture;
    const events = table === 'audit_log' ? 'DELETE' : 'INSERT OR UPDATE OR DELETE';
    await dataSource.query(
      `CREATE TRIGGER break_off BEFORE ${events} ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION break_off()`,
    );
    await work().finally(() => dataSource.query(`DROP TRIGGER break_off ON ${table}`));
  };

  test.each(Object.entries(RECORDED))(
    '%s leaves exactly one row, also when it is broken off half-way (I7)',
    async (name, { args, action, breaks }) => {
      const line = [...(await args()), '--yes', '--reason', 'the test'];
      await breakOff(breaks, async () =>
        expect(await fixture.run(...line, '--by', `${name} broken`)).toMatchObject({
          status: 1,
          stderr: expect.stringContaining('broken off'),
        }),
      );
      expect(await rowsBy(`${name} broken`)).toMatchObject([
        { action, reason: 'the test', result: { outcome: 'failed' } },
      ]);
      expect(await fixture.run(...line, '--by', name)).toMatchObject({ status: 0 });
      expect(await rowsBy(name)).toMatchObject([
        { action, reason: 'the test', result: { outcome: 'done' } },
      ]);
    },
  );

  test('leaves neither keys, identifiers, conditions nor headers in the log (I7)', async () => {
    const log = JSON.stringify(await listAudit(fixture.fixture.dataSource.manager));
    const keys = (await fixture.fixture.dataSource.query('SELECT secret FROM api_keys')) as {
      secret: string;
    }[];
    expect(keys.length).toBeGreaterThan(0);
    for (const text of [
      '"ann"',
      'user.identifier',
      'https:',
      'hidden',
      'whsec_',
      ...keys.map(({ secret }) => secret),
    ])
      expect(log).not.toContain(text);
  });
});

/** Refusals of each kind, with the code in the log: by the change itself, or before it begins. */
const REFUSED: readonly [
  why: string,
  line: readonly string[],
  row: object,
  code: string | undefined,
][] = [
  [
    'an environment that is there',
    ['env', 'create', 'production'],
    { action: 'environment.create' },
    'request.invalid',
  ],
  [
    'a name without end',
    ['key', 'create', '--kind', 'users', '--name', 'x'.repeat(129)],
    {},
    'request.invalid',
  ],
  ['a key in the place of its id', ['key', 'revoke', 'users-0123456789'], {}, 'key.unknown'],
  ['a version that is not there', ['flow', 'pin', 'told', '--version', '9'], {}, 'version.unknown'],
  ['a flow that is archived', ['flow', 'revert', 'told', '--to', '1'], {}, 'flow.unknown'],
  [
    'nobody to reset',
    ['reset', 'told', '--version', '9', '--all'],
    { action: 'reset.run' },
    'flow.unknown',
  ],
  [
    'a condition that cannot be read',
    ['reset', 'told', '--version', '1', '--when', '='],
    {},
    'request.invalid',
  ],
  [
    'a key file that is not there',
    ['signer', 'add', 'x', '--public-key', 'none.pem'],
    {},
    'request.invalid',
  ],
  ...[
    ['env verify', 'nowhere', 'observe', 'environment.unknown'],
    ['signer create', 'x', '--env', 'nowhere', 'environment.unknown'],
    ['signer remove', 'none', 'signer.unknown'],
    ['key create', '--kind', 'users', '--env', 'nowhere', 'environment.unknown'],
    ['flow commit', 'none', '-m', 'x', 'flow.unknown'],
    ['flow archive', 'none', 'flow.unknown'],
    ['flow unpin', 'none', 'flow.unknown'],
    ['env webhook-secret', '--rotate', '--env', 'nowhere', 'environment.unknown'],
    ['endpoint add', 'https://a.test', '--name', 'x', '--env', 'nowhere', 'environment.unknown'],
    ['endpoint pause', 'none', 'endpoint.unknown'],
    ['endpoint resume', 'none', 'endpoint.unknown'],
    ['endpoint replay', 'none', '--from', 'beginning', 'endpoint.unknown'],
    ['endpoint rotate-secret', 'none', 'endpoint.unknown'],
    ['endpoint remove', 'none', 'endpoint.unknown'],
    ['effects retry', 'none', 'effect.unknown'],
    ['resets undo', randomUUID(), 'run.unknown'],
    ['user restore', 'bob', 'told', '--version', '1', '--at', '1', 'flow.unknown'],
    ['user delete', 'bob', 'user.unknown'],
    ['group delete', 'nobody', 'group.unknown'],
    ['events prune', '--before', '2000-01-01', '--env', 'nowhere', 'environment.unknown'],
  ].map(([name, ...rest]): (typeof REFUSED)[number] => [
    name!,
    [...name!.split(' '), ...rest.slice(0, -1)],
    { action: RECORDED[name!]!.action },
    rest.at(-1),
  ]),
];

test.each(REFUSED)(
  'what is refused leaves exactly one row with the code: %s (I7)',
  async (why, line, row, code) => {
    const by = `${why} refused`;
    expect(await fixture.run(...line, '--by', by, '--yes', '--reason', 'the test')).toMatchObject({
      status: 1,
    });
    expect(await rowsBy(by)).toMatchObject([
      { ...row, reason: 'the test', result: { outcome: 'refused', code } },
    ]);
    expect(JSON.stringify(await rowsBy(by))).not.toMatch(/users-0123456789|"bob"|"none"/);
  },
);

test('a file with problems that is applied leaves exactly one row (I7)', async () => {
  const file = await fixture.write('broken.yaml', 'flow: told\nstart: nowhere\nblocks: {}\n');
  expect(await fixture.run('flow', 'apply', file, '--by', 'broken file')).toMatchObject({
    status: 1,
  });
  expect(await rowsBy('broken file')).toMatchObject([
    { action: 'flow.apply', result: { outcome: 'refused', code: 'request.invalid' } },
  ]);
});

test('a refusal names the user by user_id, and the environment where it was found (I7)', async () => {
  const [row] = await rowsBy('user delete refused');
  expect(row).toMatchObject({
    environment: 'development',
    userId: userId(fixture.fixture.environmentId, 'bob'),
  });
  expect((await rowsBy('endpoint pause refused'))[0]).toMatchObject({
    environment: 'development',
    subject: null,
  });
  expect((await rowsBy('key create refused'))[0]).toMatchObject({ environment: null });
});

test('neither a wrong line, a question without anybody to ask, nor a dry run leaves a row (I7)', async () => {
  const by = ['--by', 'who only looks'];
  expect(await fixture.run('flow', 'commit', 'told', ...by)).toMatchObject({ status: 2 });
  expect(await fixture.run('user', 'delete', 'told', ...by)).toMatchObject({ status: 1 });
  expect(await fixture.run('audit', 'prune', '--before', '2000-01-01', ...by)).toMatchObject({
    status: 2,
  });
  expect(await fixture.run('resets', 'undo', randomUUID(), '--dry-run', ...by)).toMatchObject({
    status: 1,
  });
  expect(
    await fixture.run('reset', 'none', '--version', '1', '--all', '--dry-run', ...by),
  ).toMatchObject({ status: 1 });
  expect(await fixture.run('env', 'webhook-secret', '--env', 'nowhere', ...by)).toMatchObject({
    status: 1,
  });
  expect(await rowsBy('who only looks')).toMatchObject([{ action: 'user.delete' }]);
});
