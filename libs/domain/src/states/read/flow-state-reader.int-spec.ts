import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { onOneServer } from '@waymark/testing/postgres';
import { Fixture } from '@waymark/testing/fixture';
import { Database } from '../../database/index.js';
import type { ResolvedFlow } from '../../flows/index.js';
import { groupId, userId } from '../../users/index.js';
import { LOAD_STATES, LOAD_STATES_OF_USER } from './load-statements.js';
import { PropertiesReader } from './load-properties.js';
import { FlowStateReader, type ContextNeed, type Found } from './flow-state-reader.js';

const together = onOneServer('states are read one by one from the servers that have them');

/** Counts the statements that pass. */
class CountedDatabase extends Database {
  statements = 0;
  /** What the last one answered. */
  rows: object[] = [];

  override run: Database['run'] = async (statement, values) => {
    this.statements++;
    const rows = await super.run<never>(statement, values);
    this.rows = rows;
    return rows;
  };
}

let fixture: Fixture;
let database: CountedDatabase;
let reader: FlowStateReader;
let first: ResolvedFlow;
let second: ResolvedFlow;
let uncommitted: ResolvedFlow;

beforeAll(async () => {
  fixture = await Fixture.open();
  const flow = defineFlow({
    flow: 'read',
    blocks: { one: card({ complete: 'two' }), two: card() },
  });
  await fixture.commit(flow);
  for (const user of ['ada', 'bob', 'cy']) await fixture.identify(user, { name: user });
  await fixture.identifyGroup('acme');
  await fixture.join('bob', 'acme');
  await fixture.read('ada', 'read', 1);
  await fixture.read('bob', 'read', 1);
  await fixture.take('bob', 'read', 1, 'one', ['complete']);
  await fixture.commit({ ...flow, name: 'again' });
  first = await fixture.catalogue.getFlow('read', 1);
  second = await fixture.catalogue.getFlow('read', 2);
  uncommitted = await fixture.catalogue.getFlow('read', 0);
});
beforeEach(async () => {
  database = new CountedDatabase(fixture.dataSource);
  // Asked once in the life of a process.
  await database.isDistributed();
  database.statements = 0;
  reader = new FlowStateReader(database);
});
afterAll(() => fixture.close());

const find = (
  user: string,
  flow = first,
  looks: ContextNeed = 'never',
  group: string | null = null,
) =>
  reader.find({
    userId: userId(fixture.environmentId, user),
    groupId: group === null ? null : groupId(fixture.environmentId, group),
    flow,
    looks,
  });

/** As if a condition of the flow mentioned groups. */
const aboutGroups = (flow: ResolvedFlow): ResolvedFlow => ({
  ...flow,
  compiled: { ...flow.compiled, mentionsGroup: true },
});
/** Flows with what may be looked at in them. */
const LIST: readonly (readonly [flow: () => ResolvedFlow, looks: ContextNeed])[] = [
  [() => aboutGroups(second), 'when-fresh'],
  [() => aboutGroups(first), 'when-fresh'],
  [() => aboutGroups(uncommitted), 'always'],
  [() => aboutGroups(first), 'never'],
];
/** The same where nothing is looked at, which is another statement. */
const LOOKING_AT_NOTHING = LIST.map(([flow]) => [flow, 'never'] as const);
const findAll = (user: string, group: string | null, list: typeof LIST = LIST) =>
  reader.findAll(
    list.map(([flow, looks]) => ({
      userId: userId(fixture.environmentId, user),
      groupId: group === null ? null : groupId(fixture.environmentId, group),
      flow: flow(),
      looks,
    })),
  );

together(
  'what is asked for at once is read with one statement, and everybody gets what they asked for (P5, P7)',
  async () => {
    const users = ['nobody', 'bob', 'cy', 'ada', 'bob'];
    const found = await Promise.all(users.map((user) => find(user)));
    expect(found.map((one) => one && (one.stored?.revision ?? 0))).toEqual([undefined, 2, 0, 1, 2]);
    expect(database.statements).toBe(1);
  },
);

test('who has no state in a version gets the one of the highest older commit, never that of version 0 (S28)', async () => {
  const found = await Promise.all([
    find('bob', second),
    find('bob', first),
    find('bob', uncommitted),
    find('cy', second),
  ]);
  expect(found.map((one) => one?.stored?.version)).toEqual([1, 1, undefined, undefined]);
});

test('properties come along only for those who may be judged by them (P5)', async () => {
  const asked = await Promise.all([
    find('ada', first, 'never'),
    find('ada', first, 'when-fresh'),
    find('cy', first, 'when-fresh'),
    find('ada', second, 'when-fresh'),
    find('bob', first, 'always', 'acme'),
    find('bob', first, 'always', 'nobodys'),
  ]);
  const seen = asked.map(
    (one) => one?.context && [one.context.user.identifier, one.context.group?.identifier ?? null],
  );
  expect(seen).toEqual([null, null, ['cy', null], ['ada', null], ['bob', 'acme'], ['bob', null]]);
  expect(asked[2]?.context?.user.properties).toEqual({ name: 'cy' });
});

together(
  'what texts show of many users at once comes with one statement, nothing of who is not there (Z5)',
  async () => {
    const shown = new PropertiesReader(database);
    const found = await Promise.all(
      ['ada', 'nobody', 'bob', 'ada'].map((user) =>
        shown.find(userId(fixture.environmentId, user)),
      ),
    );
    expect(found).toEqual([{ name: 'ada' }, {}, { name: 'bob' }, { name: 'ada' }]);
    expect(database.statements).toBe(1);
  },
);

test('a group comes once, and everybody who may be judged by it gets it (P5)', async () => {
  const asked = await Promise.all([
    find('ada', first, 'when-fresh', 'acme'),
    find('bob', first, 'always', 'acme'),
    find('cy', first, 'when-fresh', 'acme'),
    find('ada', first, 'always'),
    find('ada', first, 'always', 'acme'),
  ]);
  expect(asked.map((one) => one?.context?.group?.identifier)).toEqual([
    undefined,
    'acme',
    'acme',
    undefined,
    'acme',
  ]);
  expect(database.rows.filter((row) => 'group' in row && row.group !== null)).toHaveLength(1);
});

together(
  'of a user who is asked about in many flows, states come with one statement and properties once (B13, P7)',
  async () => {
    const found = await findAll('cy', null);
    expect(found.map((one) => one?.context?.user.identifier)).toEqual([
      'cy',
      'cy',
      'cy',
      undefined,
    ]);
    expect(found.map((one) => one?.stored?.revision)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(database.rows.filter((row) => 'user' in row && row.user !== null)).toHaveLength(1);
    expect(database.statements).toBe(1);
    expect(await findAll('nobody', null)).toEqual([undefined, undefined, undefined, undefined]);
  },
);

test.each([
  ['bob', null],
  ['bob', 'acme'],
  ['bob', 'nobodys'],
  ['ada', 'acme'],
  ['cy', null],
])(
  'a list of %s in %s is what each of its flows would be by itself (B13, S28, S33)',
  async (user, group) => {
    const together = await findAll(user, group);
    const apart = await Promise.all(LIST.map(([flow, looks]) => find(user, flow(), looks, group)));
    expect(together.every((one) => !one?.context || one.context.now > Date.UTC(2020))).toBe(true);
    const timeless = (found: (Found | undefined)[]) =>
      found.map(
        (one) => one && { ...one, now: 0, context: one.context && { ...one.context, now: 0 } },
      );
    expect(timeless(together)).toEqual(timeless(apart));
    const seen = await findAll(user, group, LOOKING_AT_NOTHING);
    expect(seen.map((one) => one?.stored)).toEqual(apart.map((one) => one?.stored));
    expect(seen.map((one) => one?.context)).toEqual(LIST.map(() => null));
    expect(seen[0]?.now).toBeGreaterThan(Date.UTC(2020));
  },
);

// A cluster reads by another statement.
const testPlan = process.env['CITUS_URL'] ? test.skip : test;
testPlan(
  'a state is one lookup in the primary key, however many versions the flow has (P9)',
  async () => {
    const states = `INSERT INTO flow_states (user_id, flow, version, revision, edition, state)
    SELECT user_id, 'many', version, 1, 1, '{}' FROM users, generate_series(1, 50) AS version WHERE identifier LIKE 'late-%'`;
    await fixture.dataSource.query(
      `INSERT INTO users (user_id, environment_id, identifier)
     SELECT gen_random_uuid(), $1, 'late-' || number FROM generate_series(1000, 1400) AS number`,
      [fixture.environmentId],
    );
    await fixture.dataSource.query(states);
    await fixture.dataSource.query('ANALYZE flow_states, users');
    const row = {
      place: 0,
      user_id: userId(fixture.environmentId, 'ada'),
      flow: 'many',
      version: 50,
      edition: 1,
      looks: 'never',
    };
    const plan = await fixture.dataSource.query<object[]>(
      `EXPLAIN ${LOAD_STATES.everything.text.replace('$1', `'${JSON.stringify([row])}'`)}`,
    );
    expect(JSON.stringify(plan)).toContain('flow_states_pkey');
    expect(JSON.stringify(plan)).not.toContain('flow_states_by_flow');
  },
);

testPlan('a lookup passes none of the states that its user has in other flows (P16)', async () => {
  await fixture.dataSource.query(
    `INSERT INTO flow_states (user_id, flow, version, revision, edition, state)
     SELECT $1, 'zebra-' || flow, version, 1, 1, '{}' FROM generate_series(1, 100) AS flow, generate_series(1, 50) AS version`,
    [userId(fixture.environmentId, 'ada')],
  );
  await fixture.dataSource.query('ANALYZE flow_states');
  const [found] = (await fixture.dataSource.query(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${LOAD_STATES_OF_USER.nothing.text
      .replaceAll('$1', `'${userId(fixture.environmentId, 'ada')}'`)
      .replace('$2', "'{flow}'")
      .replace('$3', "'{1}'")}`,
  )) as [object];
  const [, blocks] = /"Shared Hit Blocks":(\d+)/.exec(JSON.stringify(found)) ?? [];
  expect(Number(blocks)).toBeLessThan(20);
});

test('a read begun after a commit sees it, though others are under way (S32)', async () => {
  const rounds = Array.from({ length: 50 }, async (_, index) => {
    const user = `late-${index}`;
    await fixture.identify(user);
    await fixture.read(user, 'read', 1);
    expect((await find(user))?.stored?.revision).toBe(1);
  });
  await Promise.all(rounds);
});
