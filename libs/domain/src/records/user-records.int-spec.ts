import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@waymark/testing/postgres';
import type { DataSource } from 'typeorm';
import type { Announcement } from '../states/index.js';
import { User, userId } from '../users/index.js';
import { deleteUser, exportUser, listUsers, loadUser, type UserListPage } from './index.js';

/**
 * The audit log keeps that something was done to somebody (I7); positions in the event log are
 * endpoints' own.
 */
const NOT_OF_USERS = ['audit_log', 'endpoint_progress'];
/** Every table with rows of users. */
let tables: string[];
const BIG = '{"big": 12345678901234567890, "small": 0.10}';

let database: TestDatabase;
let dataSource: DataSource;
let environment: string;
let other: string;

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await database.connect();
  tables = dataSource.entityMetadatas
    .filter(({ columns }) => columns.some(({ databaseName }) => databaseName === 'user_id'))
    .map(({ tableName }) => tableName)
    .filter((table) => !NOT_OF_USERS.includes(table));
  const rows: { id: string }[] = await dataSource.query(
    'SELECT id FROM environments ORDER BY name',
  );
  [environment, other] = rows.map(({ id }) => id) as [string, string];
});
afterAll(() => database.drop());

async function insertUser(environmentId: string, identifier: string): Promise<string> {
  const id = userId(environmentId, identifier);
  await dataSource.query(
    'INSERT INTO users (user_id, environment_id, identifier, properties) VALUES ($1, $2, $3, $4)',
    [id, environmentId, identifier, BIG],
  );
  await dataSource.query(
    `WITH g AS (INSERT INTO groups (group_id, environment_id, identifier) VALUES (gen_random_uuid(), $2, 'acme') RETURNING group_id)
     INSERT INTO memberships (user_id, group_id) SELECT $1, group_id FROM g`,
    [id, environmentId],
  );
  const state = {
    format: 1,
    started: true,
    stopped: false,
    finished: false,
    blocks: {},
    gates: {},
  };
  await dataSource.query(
    "INSERT INTO flow_states (user_id, flow, version, revision, edition, state) VALUES ($1, 'tips', 1, 1, 1, $2)",
    [id, state],
  );
  await dataSource.query(
    "INSERT INTO flow_events (user_id, flow, version, revision, event) VALUES ($1, 'tips', 1, 1, $2)",
    [id, { kind: 'started' }],
  );
  await dataSource.query(
    "INSERT INTO effects (user_id, flow, version, revision, position, effect) VALUES ($1, 'tips', 1, 1, 0, $2)",
    [id, { kind: 'webhook' }],
  );
  await dataSource.query(
    "INSERT INTO delays (user_id, flow, version, block, revision, due_at) VALUES ($1, 'tips', 1, 'u', 1, now())",
    [id],
  );
  await dataSource.query(`INSERT INTO attention_states (user_id, "group") VALUES ($1, 'news')`, [
    id,
  ]);
  await dataSource.query(
    "INSERT INTO tracked_users (user_id, names, recent_ids, counted_ids) VALUES ($1, '{Invited}', '{}', '{}')",
    [id],
  );
  await dataSource.query(
    "INSERT INTO user_events (user_id, name, count) VALUES ($1, 'Invited', 1)",
    [id],
  );
  // By SQL: where tables are distributed, there are no endpoints to add.
  await dataSource.query(
    `WITH made AS (
       INSERT INTO endpoints (environment_id, name, url, format) VALUES ($2, $1, 'https://a.test', 'standard') RETURNING id
     )
     INSERT INTO endpoint_failures (endpoint_id, event_id, user_id, event, error)
     SELECT id, gen_random_uuid(), $1::uuid, '{}', 'answered 400' FROM made`,
    [id, environmentId],
  );
  return id;
}

const countRows = (id: string) =>
  Promise.all(
    tables.map(async (table) => {
      const [row] = (await dataSource.query(
        `SELECT count(*)::int AS count FROM ${table} WHERE user_id = $1`,
        [id],
      )) as {
        count: number;
      }[];
      return [table, row!.count];
    }),
  );

const exported = async (user: string): Promise<string> => {
  let text = '';
  for await (const piece of exportUser(dataSource, environment, user)) text += piece;
  return text;
};

describe('what is kept of a user', () => {
  test('is shown with properties as they were sent, groups with theirs, and states', async () => {
    await insertUser(environment, 'shown');
    const user = await loadUser(dataSource, environment, 'shown');
    expect(JSON.parse(user.properties)).toEqual(JSON.parse(BIG));
    expect(user.properties).toContain('12345678901234567890');
    expect(user).toMatchObject({
      identifier: 'shown',
      groups: [{ identifier: 'acme', properties: '{}' }],
      flows: [
        {
          flow: 'tips',
          version: 1,
          revision: 1,
          state: { started: true, stopped: false, finished: false },
          blocks: [],
        },
      ],
    });
  });

  test('is exported whole, big numbers exact', async () => {
    await insertUser(environment, 'exported');
    const text = await exported('exported');
    expect(text).toContain('12345678901234567890');
    expect(JSON.parse(text)).toMatchObject({
      identifier: 'exported',
      environment: 'development',
      groups: [{ identifier: 'acme' }],
      states: [{ flow: 'tips', version: 1, revision: 1, state: { started: true } }],
      events: [{ flow: 'tips', revision: 1, event: { kind: 'started' } }],
      effects: [{ flow: 'tips', effect: { kind: 'webhook' } }],
      delays: [{ flow: 'tips', version: 1, block: 'u' }],
    });
  });

  test('is exported in pieces, all events in their order and none twice', async () => {
    await insertUser(environment, 'long');
    const id = userId(environment, 'long');
    await dataSource.query('UPDATE flow_states SET revision = 2500 WHERE user_id = $1', [id]);
    await dataSource.query(
      `INSERT INTO flow_events (user_id, flow, version, revision, event)
       SELECT $1, 'tips', 1, n, '{}' FROM generate_series(2, 2600) n`,
      [id],
    );
    const pieces: string[] = [];
    for await (const piece of exportUser(dataSource, environment, 'long')) pieces.push(piece);
    expect(pieces).toHaveLength(5);
    const { events } = JSON.parse(pieces.join('')) as { events: { revision: number }[] };
    expect(events.map(({ revision }) => revision)).toEqual(
      Array.from({ length: 2500 }, (_, index) => index + 1),
    );
  });

  test('is exported from every table with rows of users', () => {
    const text = readFileSync(new URL('./export-user.ts', import.meta.url), 'utf8');
    expect(tables.length).toBeGreaterThan(8);
    expect(tables.filter((table) => !new RegExp(`\\b${table}\\b`).test(text))).toEqual([]);
  });

  test('is exported with every column of users', async () => {
    await insertUser(environment, 'complete');
    const columns = dataSource.getMetadata(User).columns.map(({ propertyName }) => propertyName);
    const kept = columns.filter((name) => !['userId', 'environmentId'].includes(name));
    expect(Object.keys(JSON.parse(await exported('complete')))).toEqual(
      expect.arrayContaining(kept),
    );
  });

  test('is forgotten by the resets whose condition names them, and by no other (I6)', async () => {
    const gone = 'leaves@example.com';
    await insertUser(environment, gone);
    const conditions = {
      equal: `user.identifier == "${gone}"`,
      escaped: 'user.identifier == "leaves\\u0040example.com"',
      list: `contains(user.properties.mails, "x ${gone} y")`,
      unreadable: `of a former release: ${gone}`,
      longer: `user.identifier == "she${gone}"`,
      other: 'user.properties.plan == "pro"',
    };
    for (const [flow, condition] of Object.entries(conditions)) {
      const values = [environment, flow, condition];
      await dataSource.query(
        'INSERT INTO reset_runs (environment_id, flow, version, condition, force) VALUES ($1, $2, 1, $3, false)',
        values,
      );
      await dataSource.query(
        'INSERT INTO reset_runs (environment_id, flow, version, condition, force) VALUES ($1, $2, 1, $3, false)',
        [other, flow, condition],
      );
    }
    await deleteUser(dataSource, environment, gone, { announce: () => undefined }, { by: 'test' });
    const load = async (of: string): Promise<Record<string, string | null>> => {
      const rows: { flow: string; condition: string; ended: boolean }[] = await dataSource.query(
        'SELECT flow, condition, finished_at IS NOT NULL AS ended FROM reset_runs WHERE environment_id = $1',
        [of],
      );
      return Object.fromEntries(
        rows.map(({ flow, condition, ended }) => [flow, ended ? `ended ${condition}` : condition]),
      );
    };
    const forgotten = 'ended (forgotten: it named a user who was deleted)';
    expect(await load(environment)).toEqual({
      ...conditions,
      equal: forgotten,
      escaped: forgotten,
      list: forgotten,
      unreadable: forgotten,
    });
    expect(await load(other)).toEqual(conditions);
  });

  test('is deleted to the last row, and nobody else with it', async () => {
    const gone = await insertUser(environment, 'the same name');
    const neighbour = await insertUser(other, 'the same name');
    const announced: Announcement[] = [];
    const changes = { announce: (change: Announcement) => void announced.push(change) };
    expect(
      await deleteUser(dataSource, environment, 'the same name', changes, { by: 'test' }),
    ).toEqual({
      identifier: 'the same name',
      memberships: 1,
      states: 1,
      events: 1,
      effects: 1,
    });
    expect(announced).toEqual([{ userId: gone, flow: 'tips', version: 1, revision: 0 }]);
    expect(await countRows(gone)).toEqual(tables.map((table) => [table, 0]));
    expect(await countRows(neighbour)).toEqual(tables.map((table) => [table, 1]));
  });

  test('is refused alike for a user who was never identified in that environment (B3)', async () => {
    await insertUser(other, 'elsewhere');
    const changes = { announce: () => undefined };
    await expect(exported('nobody')).rejects.toMatchObject({ code: 'user.unknown' });
    for (const ask of [loadUser, deleteUser])
      await expect(
        ask(dataSource, environment, 'elsewhere', changes, { by: 'test' }),
      ).rejects.toMatchObject({
        code: 'user.unknown',
      });
  });

  test('is listed by identifier, a page at a time', async () => {
    for (const name of ['é', 'b', 'B', 'a']) await insertUser(other, `page ${name}`);
    const names = async (page: UserListPage) =>
      (await listUsers(dataSource, other, page)).map(({ identifier }) => identifier);
    expect(await names({ limit: 3, after: 'p' })).toEqual(['page B', 'page a', 'page b']);
    expect(await names({ limit: 1, after: 'page b' })).toEqual(['page é']);
    expect(await names({ limit: 9, startsWith: 'page' })).toEqual([
      'page B',
      'page a',
      'page b',
      'page é',
    ]);
    expect(await names({ limit: 9, startsWith: 'page b' })).toEqual(['page b']);
  });
});
