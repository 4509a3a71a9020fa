import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { branch, card, defineFlow, webhook } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import type { Statement } from '../database/statement.js';
import { EMPTY_STATE, type FlowEvent } from '../engine/index.js';
import { groupId, userId } from '../users/index.js';
import { rowOf, stateWrite } from './command/state-write.js';
import { WRITE_STATE, WRITE_STATES, WRITE_WITH_DELAYS } from './command/write-statements.js';
import { LOAD_STATES, LOAD_STATES_OF_USER } from './read/load-statements.js';

let fixture: Fixture;
let values: Record<string, unknown[]>;

beforeAll(async () => {
  fixture = await Fixture.open({ partitioned: true });
  await fixture.commit(
    defineFlow({
      flow: 'parted',
      blocks: {
        told: webhook('fork'),
        fork: branch('user.properties.admin', { true: 'one', false: 'two' }),
        one: card(),
        two: card(),
      },
    }),
  );
  for (let count = 0; count < 40; count++) {
    await fixture.identify(`user-${count}`);
    if (count > 0) await fixture.read(`user-${count}`, 'parted');
  }
  await fixture.identifyGroup('acme');
  const fresh = userId(fixture.environmentId, 'user-0');
  const known = userId(fixture.environmentId, 'user-7');
  const state =
    '{"format":1,"started":true,"stopped":false,"finished":false,"blocks":{},"gates":{}}';
  const event = '{"format":1,"cause":{"kind":"stop"},"changes":[]}';
  const next = (user: string, before: number) => [
    user,
    'parted',
    1,
    before,
    before + 1,
    1,
    state,
    ['k'],
    [event],
    'k',
    'acme',
    'request',
    0,
  ];
  const effect = [[2], [0], ['{"kind":"webhook"}'], 0, null];
  const group_id = groupId(fixture.environmentId, 'acme');
  const asked = {
    place: 0,
    user_id: known,
    flow: 'parted',
    version: 1,
    edition: 1,
    looks: 'always',
    group_id,
    events: ['Invited'],
  };
  const list = [known, ['parted', 'other'], [1, 2], [1, 1], ['always', 'when-fresh']];
  values = {
    ...valuesOf(LOAD_STATES, [JSON.stringify([asked])]),
    ...valuesOf(LOAD_STATES_OF_USER, list),
    [LOAD_STATES_OF_USER.nothing.name]: list.slice(0, 3),
    [LOAD_STATES_OF_USER.everything.name]: [...list, group_id, false, ['Invited']],
    [WRITE_STATES.name]: [`[${sharedRow(known)}]`],
    [WRITE_STATE.insert.name]: next(fresh, 0),
    [WRITE_STATE.insertWithEffects.name]: [...next(fresh, 0), ...effect],
    [WRITE_WITH_DELAYS.insert.name]: [...next(fresh, 0), ...effect, ['u-wait'], [1]],
    [WRITE_WITH_DELAYS.update.name]: [...next(known, 1), ...effect, ['u-wait'], [1]],
    [WRITE_STATE.update.name]: next(known, 1),
    [WRITE_STATE.updateWithEffects.name]: [...next(known, 1), ...effect],
  };
});
afterAll(() => fixture.close());

test('the fixture has users in every partition', async () => {
  const rows = (await fixture.dataSource.query(
    'SELECT DISTINCT tableoid FROM flow_states',
  )) as unknown[];
  expect(rows.length).toBeGreaterThan(2);
});

test.each(
  [
    ...Object.values(LOAD_STATES),
    ...Object.values(LOAD_STATES_OF_USER),
    WRITE_STATES,
    ...Object.values(WRITE_STATE),
    ...Object.values(WRITE_WITH_DELAYS),
  ].map((statement) => [statement.name, statement] as const),
)(
  '%s touches one partition of each table, whatever plan is kept for it',
  async (name, { text }) => {
    for (const mode of ['force_generic_plan', 'force_custom_plan']) {
      const plan = await explain(name, text, mode);
      const scanned = [...plan.matchAll(/ on ((\w+?)_\d+)\b.*?\(actual/g)];
      expect(scanned.length).toBeGreaterThan(0);
      const tables = new Set(scanned.map(([, , table]) => table));
      for (const table of tables) {
        const parts = new Set(
          scanned.filter(([, , other]) => other === table).map(([, part]) => part),
        );
        expect({ table, parts: parts.size }).toEqual({ table, parts: 1 });
      }
    }
  },
);

const valuesOf = (statements: Readonly<Record<string, Statement>>, given: unknown[]) =>
  Object.fromEntries(Object.values(statements).map(({ name }) => [name, given]));

/** The next state of a user, as it shares a statement with others. */
function sharedRow(user: string): string {
  const owner = {
    userId: user,
    groupId: null,
    groupIdentifier: null,
    idempotencyKey: null,
    origin: 'request',
    chain: 0,
    trace: null,
  } as const;
  const event: FlowEvent = { format: 1, cause: { kind: 'stop' }, changes: [] };
  const next = { revisionBefore: 1, state: EMPTY_STATE, recentKeys: [], events: [event] };
  const flow = { flow: 'parted', version: 1, edition: 1 };
  return rowOf(stateWrite(owner, flow, { ...next, effects: [] }), 0);
}

/** The plan as it was executed; what was pruned is not in it, or was never executed. */
async function explain(name: string, text: string, mode: string): Promise<string> {
  const runner = fixture.dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query(`SET LOCAL plan_cache_mode = ${mode}`);
    await runner.query(`PREPARE tested AS ${text}`);
    const rows = (await runner.query(
      `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE tested(${values[name]!.map(literal).join(', ')})`,
    )) as { 'QUERY PLAN': string }[];
    await runner.query('DEALLOCATE tested');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `ARRAY[${value.map(literal).join(', ')}]`;
  return typeof value === 'string' ? `'${value}'` : String(value);
}
