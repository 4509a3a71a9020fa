import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { definedStatements } from '@waymark/domain/database';
import '@waymark/domain/delays';
import '@waymark/domain/outbound';
import '@waymark/domain/events';
import '@waymark/domain/states';
import { createKey, getEnvironment } from '@waymark/domain/access';
import { reportFlow } from '@waymark/domain/analysis';
import { findUserPage } from '@waymark/domain/records';
import { loadPropertyPaths, loadSeenEvents, loadSeenProperties } from '@waymark/domain/users';
import { createTestDatabase, isDistributedRun, type TestDatabase } from '@waymark/testing/postgres';
import { findRefusals, fingerprint } from '@waymark/testing/citus';
import { call, spawnService, type SpawnedService, until } from '@waymark/testing/services';
import { io, type Socket } from 'socket.io-client';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listCommands } from '../src/command-line/list-commands.js';
import { createProgram } from '../src/command-line/run-command-line.js';
import { COMMANDS } from '../src/commands/index.js';
import { runWaymark } from './run-waymark.js';

type Shape = 'one server' | 'a server that passes for Citus' | 'a Citus cluster';

/**
 * On a cluster where CITUS_URL has its coordinator and CITUS_WORKERS its workers, separated by
 * commas.
 */
const SHAPES: readonly Shape[] = process.env['CITUS_URL']
  ? ['a Citus cluster']
  : isDistributedRun()
    ? ['a server that passes for Citus']
    : ['one server', 'a server that passes for Citus'];
if (!process.env['CITUS_URL'])
  process.stderr.write(
    'every path is walked on PostgreSQL alone; on Citus with CITUS_URL and CITUS_WORKERS\n',
  );

const GROUPS =
  'groups: { news: { at-once: 1, limit: { starts: 9, per: 7 days }, pause: 1 minute } }\n';
const SEGMENTS = 'segments: { adas: user.identifier == "ada" }\n';
/** Starts and ends count in its group. */
const TURN = `flow: turn
attention: { group: news, priority: 1 }
start: greet
blocks:
  greet: { type: modal, paths: { complete: finish } }
`;
const FLOW = (title: string) => `flow: walk
language: en
target: { users: matching, when: 'group.properties.plan == "gold" OR user.properties.plan == "pro"' }
start: hello
blocks:
  hello: { type: modal, fields: { title: ${title} }, paths: { complete: told, dismiss: finish } }
  told: { type: webhook, url: http://127.0.0.1:9/hook, next: last }
  last: { type: modal, fields: { title: Last }, paths: { complete: finish } }
`;

/**
 * The command in this process, as there are many; answers what it printed, and throws what it
 * refuses.
 */
async function waymark(...args: string[]): Promise<string> {
  const write = process.stdout.write.bind(process.stdout);
  let printed = '';
  process.stdout.write = (chunk: string | Uint8Array, ...more: unknown[]) => {
    printed += chunk.toString();
    const told = more.find((one) => typeof one === 'function') as (() => void) | undefined;
    if (told) setImmediate(told);
    return true;
  };
  try {
    await createProgram(COMMANDS).parseAsync([...args, '--yes', '--json'], { from: 'user' });
    return printed;
  } finally {
    process.stdout.write = write;
  }
}
/**
 * Commands in an order in which each finds something; those of the event log are refused where
 * there is no order to follow.
 */
const BEFORE: readonly string[][] = [
  ['migrate', 'status'],
  ['migrate', 'finish'],
  ['env', 'create', 'fair'],
  ['env', 'list'],
  ['env', 'verify', 'fair', 'observe'],
  ['env', 'releases', 'fair', '--by-pin'],
  ['env', 'releases', 'fair', '--by-commit'],
  ['env', 'webhook-secret', '--rotate'],
  ['signer', 'create', 'one'],
  ['signer', 'list'],
  ['key', 'list'],
  ['attention', 'apply', 'walk.attention.yaml'],
  ['attention', 'show'],
  ['attention', 'diff', 'walk.attention.yaml'],
  ['attention', 'export'],
  ['segment', 'apply', 'walk.segments.yaml'],
  ['segment', 'show'],
  ['segment', 'diff', 'walk.segments.yaml'],
  ['segment', 'export'],
  ['flow', 'apply', 'walk.turn.yaml', '--commit', '-m', 'in turn'],
  ['flow', 'apply', 'walk.yaml', '--commit', '-m', 'first'],
  ['flow', 'list'],
];
const AFTER: readonly string[][] = [
  ['flow', 'versions', 'walk'],
  ['flow', 'show', 'walk'],
  ['flow', 'export', 'walk'],
  ['flow', 'texts', 'export', 'walk', '--language', 'de', '-o', 'walk.de.json'],
  ['flow', 'texts', 'import', 'walk.de.json'],
  ['flow', 'report', 'walk'],
  ['flow', 'report', 'walk', '--version', 'all'],
  ['flow', 'explain', 'walk', 'ada'],
  ['flow', 'explain', 'walk', 'bob', '--group', 'acme', '--no-values'],
  ['flow', 'plan', 'walk.yaml'],
  ['flow', 'apply', 'walk.yaml'],
  ['flow', 'commit', 'walk', '-m', 'second'],
  ['flow', 'diff', 'walk', '1', '2'],
  ['flow', 'pin', 'walk', '--version', '1'],
  ['flow', 'unpin', 'walk'],
  ['types', 'walk'],
  ['user', 'list'],
  ['user', 'list', '--after', 'user-1'],
  ['user', 'list', '--starts-with', 'user-1'],
  ['user', 'list', '--when', 'user.identifier == "ada"'],
  ['user', 'list', '--segment', 'adas'],
  ['user', 'list', '--flow', 'walk'],
  ['user', 'list', '--flow', 'walk', '--version', '1', '--block', 'last'],
  ['user', 'list', '--flow', 'walk', '--starts-with', 'user-'],
  ['user', 'show', 'ada'],
  ['user', 'export', 'ada'],
  ['history', 'ada', 'walk'],
  ['histories', 'export', 'walk', '-o', 'walk.jsonl'],
  ['histories', 'replay', 'walk.jsonl'],
  ['effects', 'list'],
  ['failures'],
  ['group', 'list'],
  ['group', 'list', '--after', 'aardvark'],
  ['group', 'show', 'acme'],
  ['group', 'export', 'acme'],
  ['reset', 'walk', '--version', '1', '--when', 'group.properties.plan == "gold"'],
  ['reset', 'walk', '--version', '1', '--user', 'user-4', '--force'],
  ['resets', 'list'],
  ['user', 'restore', 'bob', 'walk', '--version', '1', '--at', '1'],
  ['events', 'prune', '--before', '2000-01-01'],
  ['flow', 'revert', 'walk', '--to', '1'],
  ['audit', 'list'],
  ['audit', 'list', '--until', '2000-01-01'],
  ['user', 'delete', 'bob'],
  ['group', 'delete', 'acme'],
  ['flow', 'archive', 'walk'],
];
const FOLLOWING: readonly string[][] = [
  ['endpoint', 'add', 'http://127.0.0.1:9/', '--name', 'crm'],
  ['events', 'export', '--limit', '3'],
];

/**
 * Not walked: without the database, with what only the walk of another test has, or about
 * endpoints, which are not followed there.
 */
const ELSEWHERE = [
  ...[
    'up',
    'mcp',
    'studio',
    'migrate up',
    'migrate down',
    'migrate distribute',
    'flow validate',
    'flow schema',
    'flow graph',
  ],
  ...[
    'signer add',
    'signer remove',
    'key create',
    'key revoke',
    'flow simulate',
    'effects retry',
    'resets undo',
    'audit prune',
  ],
  ...[
    'endpoint list',
    'endpoint failures',
    'endpoint test',
    'endpoint pause',
    'endpoint resume',
    'endpoint replay',
  ],
  ...['endpoint rotate-secret', 'endpoint remove'],
];

test('every command is walked, or known to be left out (G3)', () => {
  const walked = [...BEFORE, ...AFTER, ...FOLLOWING].map((line) => `${line.join(' ')} `);
  const names = listCommands(createProgram(COMMANDS)).map(({ name }) => name);
  const missing = names.filter((name) => !walked.some((line) => line.startsWith(`${name} `)));
  expect(missing.sort()).toEqual([...ELSEWHERE].sort());
});

/** What users and operators were shown, by the shape of the tables. */
const told = new Map<Shape, string[]>(SHAPES.map((shape) => [shape, []]));

/**
 * Ids, secrets, times and tries differ from walk to walk; uids of blocks are numbered as they come.
 */
function withoutChance(text: string, uids: string[]): string {
  const named = text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z| [\d:]+ UTC)/g, 'TIME')
    .replaceAll(/("median"|"p90"|"attempts") *: *[\d.]+/g, '$1:"NUMBER"')
    .replaceAll(/"(?:[^"\s]{23,}|-----[^"]*)"/g, '"SECRET"')
    .replaceAll(/"[\w-]{20}"/g, (uid) => {
      if (!uids.includes(uid)) uids.push(uid);
      return `"UID ${uids.indexOf(uid)}"`;
    });
  return named.startsWith('{') ? JSON.stringify(inOrder(JSON.parse(named))) : named;
}

/**
 * PostgreSQL has the members of an object in an order that the uids decide; effects come in that in
 * which they are due, users found in a flow in that of their ids.
 */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    const list = value.map(inOrder);
    return list.every(isOrderedByChance) ? list.sort(byText) : list;
  }
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}

const isOrderedByChance = (one: unknown): boolean =>
  Object(one) === one && ('nextAttemptAt' in (one as object) || 'place' in (one as object));

const byText = (one: unknown, other: unknown): number =>
  JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;

describe.each(SHAPES)('every path on %s', (shape) => {
  const isDistributed = shape !== 'one server';
  let database: TestDatabase;
  let folder: string;
  let users: SpawnedService;
  let blocks: SpawnedService;
  let socket: Socket | undefined;
  const keys = { users: '', blocks: '' };

  const write = (text: string) => writeFile(path.join(folder, 'walk.yaml'), text);
  const uids: string[] = [];
  const tell = (what: string, answer: string) =>
    told.get(shape)!.push(`${what} ${withoutChance(answer, uids)}`);
  const ask = async (what: string, answer: ReturnType<typeof call>) => {
    const { status, body } = await answer;
    tell(`${what} ${status}`, JSON.stringify(body) ?? '');
    return { status, body };
  };
  const post = (of: SpawnedService, target: string, body: unknown = {}) =>
    ask(
      `POST ${target}`,
      call(of, `POST ${target}`, { key: of === users ? keys.users : keys.blocks, body }),
    );
  const get = (target: string) =>
    ask(`GET ${target}`, call(blocks, `GET ${target}`, { key: keys.blocks }));
  const who = (user: string, more = '') => `userIdentifier=${user}&version=latest${more}`;

  beforeAll(async () => {
    database = await createTestDatabase({ rehearsed: shape === 'a server that passes for Citus' });
    process.env['DATABASE_URL'] = database.url;
    folder = await mkdtemp(path.join(tmpdir(), 'waymark-walk-'));
    const dataSource = await database.connect();
    if (shape !== 'a Citus cluster') await dataSource.query('CREATE EXTENSION pg_stat_statements');
    for (const kind of ['users', 'blocks'] as const)
      keys[kind] = (
        await createKey(dataSource, { environment: 'development', kind }, { by: 'test' })
      ).key;
    const settings = {
      DATABASE_URL: database.url,
      SHUTDOWN_GRACE_MS: '0',
      WEBHOOK_PRIVATE_ADDRESSES: 'on',
    };
    [users, blocks] = await Promise.all([
      spawnService('users-api', settings),
      spawnService('blocks-api', settings),
    ]);
  });
  afterAll(async () => {
    socket?.close();
    await Promise.all([users?.stop(), blocks?.stop()]);
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Does them all, and tells of those that were refused. */
  async function refusalsOf(lines: readonly string[][]): Promise<string[]> {
    const refusals: string[] = [];
    for (const line of lines) {
      const args = line.map((argument) =>
        argument.startsWith('walk.') ? path.join(folder, argument) : argument,
      );
      await waymark(...args).then(
        (printed) => tell(line.join(' '), printed),
        (error: Error) => refusals.push(`${line.join(' ')}: ${error.message}`),
      );
    }
    return refusals;
  }

  test('commands before there are users (G1)', async () => {
    await write(FLOW('One'));
    await writeFile(path.join(folder, 'walk.turn.yaml'), TURN);
    await writeFile(path.join(folder, 'walk.attention.yaml'), GROUPS);
    await writeFile(path.join(folder, 'walk.segments.yaml'), SEGMENTS);
    expect(await refusalsOf(BEFORE)).toEqual([]);
  });

  test('users and groups are identified, alone, together and too large (G1)', async () => {
    const pro = { plan: 'pro', big: 1 };
    expect((await post(users, '/identify', { identifier: 'ada', properties: pro })).status).toBe(
      204,
    );
    const batch = Array.from({ length: 20 }, (_, number) => ({
      identifier: `user-${number}`,
      properties: pro,
    }));
    expect((await post(users, '/identify/batch', batch)).status).toBe(200);
    const groups = [{ identifier: 'acme', properties: { plan: 'gold' } }];
    expect(
      (await post(users, '/identify', { identifier: 'bob', properties: {}, groups })).status,
    ).toBe(204);
    const large = { identifier: 'ada', properties: { text: 'x'.repeat(1_048_570) } };
    expect((await post(users, '/identify', large)).status).toBe(413);
  });

  test('flows are read, one and several, for users, groups and many at once (G1)', async () => {
    await until(
      async () => (await get(`/v2/flow/walk?${who('ada')}&include=block`)).status === 200,
    );
    const active = async (user: string, more = '') =>
      ((await get(`/v2/flow/walk?${who(user, more)}`)).body as { state: { started: boolean } })
        .state.started;
    expect(await active('bob')).toBe(true);
    expect(await active('user-1', '&groupIdentifier=acme')).toBe(true);
    const many = await Promise.all(
      Array.from({ length: 20 }, (_, number) => get(`/v2/flow/walk?${who(`user-${number}`)}`)),
    );
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await get('/v2/flows?userIdentifier=ada&flow=walk')).status).toBe(200);
    const turn = await get('/v2/flows?userIdentifier=user-3&flow=walk&flow=turn');
    expect(turn.body).toMatchObject({
      flows: [{}, { state: { started: true } }],
      order: ['turn', 'walk'],
    });
    expect((await post(blocks, `/v2/flow/turn/stop?${who('user-3')}`)).status).toBe(204);
    expect((await get(`/v2/block/walk.hello?${who('ada')}`)).status).toBe(200);
    expect((await get(`/v2/flow/walk?${who('nobody')}`)).status).toBe(404);
  });

  test('states move, sockets are told, effects wait and are tried (G1)', async () => {
    const pushed: unknown[] = [];
    const page = io(`${blocks.url}/v2/client?endUserIdentifier=ada`, {
      path: '/v2/socket/',
      transports: ['websocket'],
      auth: { 'x-api-key': keys.blocks },
    });
    socket = page;
    page.on('flow', (flow) => pushed.push(flow));
    page.on('ready', () => page.emit('watch:flow', 'walk', 1));
    await until(() => pushed.length > 0);
    const moves = Array.from({ length: 10 }, (_, number) => `user-${number}`).concat('ada', 'bob');
    for (const { status } of await Promise.all(
      moves.map((user) =>
        post(blocks, `/v2/block/walk.hello/transition?${who(user)}&transitions=complete`),
      ),
    ))
      expect(status).toBe(204);
    await until(() => pushed.length > 1);
    expect((await post(blocks, `/v2/flow/walk/reset?${who('user-1')}&force=true`)).status).toBe(
      204,
    );
    expect((await post(blocks, `/v2/flow/walk/stop?${who('user-2')}`)).status).toBe(204);
    // Nothing listens there: every webhook is tried once and postponed.
    await until(async () => (await waymark('effects', 'list')).includes('ECONNREFUSED'));
  });

  test('what the studio asks of many users, and a report of more users than it follows (G1)', async () => {
    const dataSource = await database.connect();
    const { id } = await getEnvironment(dataSource, 'development');
    const answers = [
      await loadPropertyPaths(dataSource.manager),
      await loadSeenProperties(dataSource.manager).then(({ user, group }) => [
        [...user.names].sort(),
        [...group.names],
      ]),
      [...(await loadSeenEvents(dataSource.manager)).names],
      await findUserPage(dataSource, id, { startsWith: 'user-' }, { limit: 5 }),
      await findUserPage(dataSource, id, { flow: 'walk', block: 'last' }, { limit: 50 }),
      await reportFlow(dataSource, id, { flow: 'walk', version: 1 }, { follow: 3 }).then(
        ({ users: counted }) => counted,
      ),
    ];
    for (const answer of answers) tell('asked', JSON.stringify(answer));
  });

  test('commands about users, states and versions (G1)', async () => {
    await write(FLOW('Two'));
    expect(await refusalsOf(AFTER)).toEqual([]);
  });

  test(
    isDistributed ? 'the event log is not followed, and says so (G4)' : 'the event log is followed',
    async () => {
      const refusals: string[] = [];
      for (const line of FOLLOWING) {
        const { status, stderr } = await runWaymark([...line, '--yes'], {
          env: { DATABASE_URL: database.url },
        });
        if (status !== 0) refusals.push(stderr);
      }
      expect(refusals).toEqual(
        isDistributed ? FOLLOWING.map(() => expect.stringContaining('no common order')) : [],
      );
    },
  );

  /** PostgreSQL itself remembers what it was asked, constants replaced. */
  (shape === 'a Citus cluster' ? test.skip : test)(
    'every statement on the way is one that Citus takes too (G1, G3)',
    async () => {
      const dataSource = await database.connect();
      const rows = (await dataSource.query(
        `SELECT DISTINCT s.query FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
       WHERE d.datname = current_database() AND s.query ~* '^\\s*(WITH|SELECT|INSERT|UPDATE|DELETE)'`,
      )) as { query: string }[];
      const elsewhere = definedStatements().filter(({ servers }) => servers === 'one');
      const exempt = new Set(
        isDistributed ? [] : await Promise.all(elsewhere.map(({ text }) => fingerprint(text))),
      );
      const refused: Record<string, string[]> = {};
      for (const { query } of rows) {
        const refusals = exempt.has(await fingerprint(query)) ? [] : await findRefusals(query);
        if (refusals.length > 0) refused[query] = refusals;
      }
      expect(rows.length).toBeGreaterThan(100);
      const asked = new Set(await Promise.all(rows.map(({ query }) => fingerprint(query))));
      const prints = await Promise.all(elsewhere.map(({ text }) => fingerprint(text)));
      expect(
        elsewhere.filter((_statement, index) => asked.has(prints[index]!)).map(({ name }) => name),
      ).toEqual(isDistributed ? [] : expect.arrayContaining(['load_flow_states', 'claim_effects']));
      expect(refused).toEqual({});
    },
  );
});

(SHAPES.length > 1 ? test : test.skip)(
  'users and operators are told the same, whatever the tables lie on (G1)',
  () => {
    const [one, other] = SHAPES.map((shape) => told.get(shape)!.sort());
    expect(one!.length).toBeGreaterThan(80);
    expect(other).toEqual(one);
  },
);
