import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createKey } from '@waymark/domain/access';
import { card, defineFlow } from '@waymark/testing/builders';
import { createTestDatabase, type TestDatabase } from '@waymark/testing/postgres';
import {
  type Answer,
  call,
  spawnService,
  type SpawnedService,
  until,
} from '@waymark/testing/services';
import { Fixture } from '@waymark/testing/fixture';
import type { DataSource } from 'typeorm';
import { LiveClient } from './live-client.js';

/**
 * What a coordinator of Citus says to a statement about users of a server that is lost, by the
 * sources of Citus 11 to 13: a SQLSTATE of its own, the one of an internal error, or that of a bad
 * parameter.
 */
const SAYINGS = [
  [
    '08006',
    'connection to the remote node 10.0.0.2:5432 failed with the following error: Connection refused',
  ],
  ['08006', 'could not establish any connections to the node 10.0.0.2:5432 after 30000 ms'],
  ['XX000', 'failure on connection marked as essential: 10.0.0.2:5432'],
  [
    'XX000',
    'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally',
  ],
  ['XX000', 'connection not open'],
  ['XX000', 'node group 2 does not have a primary node'],
  ['XX000', 'there is a shard placement in node group 2 but there are no nodes in that group'],
  ['22023', 'could not find any healthy placement for shard 102041'],
  ['57P01', 'terminating connection due to administrator command'],
] as const;

/**
 * Rows of `lost` users are as if on a server that is gone: statements that come to them fail with
 * the words in `saying`, for as many `tries` as that has, after the first `spared` of them. Views
 * stand in the place of tables, since PostgreSQL has no triggers for reads.
 */
const LOSE = `
  CREATE TABLE lost (identifier text PRIMARY KEY);
  CREATE TABLE saying (code text NOT NULL, message text NOT NULL, tries bigint NOT NULL, spared bigint NOT NULL);
  CREATE SEQUENCE tried;
  CREATE FUNCTION refuse_lost(who text) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE said saying;
  BEGIN
    SELECT s.* INTO said FROM saying s JOIN lost l ON l.identifier = who;
    IF said.code IS NULL THEN RETURN true; END IF;
    IF nextval('tried') NOT BETWEEN said.spared + 1 AND said.spared + said.tries THEN RETURN true; END IF;
    RAISE EXCEPTION USING ERRCODE = said.code, MESSAGE = said.message;
  END $$;
  CREATE FUNCTION refuse_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM refuse_lost(new.identifier); RETURN new; END $$;
  ALTER TABLE users RENAME TO users_there;
  CREATE TRIGGER lost BEFORE INSERT OR UPDATE ON users_there FOR EACH ROW EXECUTE FUNCTION refuse_row();
  CREATE VIEW users AS SELECT * FROM users_there u WHERE refuse_lost(u.identifier);
  CREATE FUNCTION refuse_state(who uuid) RETURNS boolean LANGUAGE sql AS $$ SELECT refuse_lost(identifier) FROM users_there WHERE user_id = who $$;
  ALTER TABLE flow_states RENAME TO flow_states_there;
  CREATE VIEW flow_states AS SELECT * FROM flow_states_there s WHERE refuse_state(s.user_id);`;

/** Rows of a user that a transition reads before it writes. */
const READ_FOR_A_MOVE = 2;

let database: TestDatabase;
let dataSource: DataSource;
let users: SpawnedService;
let blocks: SpawnedService;
const keys = { users: '', blocks: '' };
const pages: LiveClient[] = [];

beforeAll(async () => {
  database = await createTestDatabase({ rehearsed: true });
  dataSource = await database.connect();
  for (const kind of ['users', 'blocks'] as const)
    keys[kind] = (
      await createKey(dataSource, { environment: 'development', kind }, { by: 'test' })
    ).key;
  const fixture = await Fixture.open({ database });
  await fixture.commit(
    defineFlow({ flow: 'walk', blocks: { one: card({ complete: 'two' }), two: card() } }),
  );
  await dataSource.query(LOSE);
  // A victim tries again as long as its request may take.
  const settings = {
    DATABASE_URL: database.url,
    SHUTDOWN_GRACE_MS: '0',
    REQUEST_TIMEOUT_MS: '4000',
  };
  [users, blocks] = await Promise.all([
    spawnService('users-api', settings),
    spawnService('blocks-api', settings),
  ]);
});
afterAll(async () => {
  for (const { socket } of pages) socket.close();
  await Promise.all([users?.stop(), blocks?.stop()]);
  await database?.drop();
});
afterEach(() => find());

const find = () =>
  dataSource.query('DELETE FROM lost; DELETE FROM saying; ALTER SEQUENCE tried RESTART');
const lose = async (
  who: string,
  code: string,
  message: string,
  { tries = 1_000_000, spared = 0 } = {},
) => {
  await find();
  await dataSource.query('INSERT INTO saying VALUES ($1, $2, $3, $4)', [
    code,
    message,
    tries,
    spared,
  ]);
  await dataSource.query('INSERT INTO lost VALUES ($1)', [who]);
};

const identify = (identifier: string, groups?: object[]) =>
  call(users, 'POST /identify', {
    key: keys.users,
    body: { identifier, properties: { plan: 'pro' }, ...(groups && { groups }) },
  });
const read = (who: string) =>
  call(blocks, `GET /v2/flow/walk?userIdentifier=${who}&version=1`, { key: keys.blocks });
const transit = (who: string) =>
  call(
    blocks,
    `POST /v2/block/walk.one/transition?userIdentifier=${who}&version=1&transitions=complete`,
    { key: keys.blocks },
  );

const expectTryAgain = (answers: readonly Answer[]) => {
  for (const { status, headers, body } of answers)
    expect([status, headers.get('retry-after'), body]).toMatchObject([
      503,
      '1',
      { code: 'service_unavailable_error' },
    ]);
};
const statuses = (answers: readonly Answer[]) => [...new Set(answers.map(({ status }) => status))];

describe('a server behind the one that is asked is lost', () => {
  test.each(SAYINGS)(
    '%s %s: 503 with Retry-After for its users, and for nobody else (G4)',
    async (code, message) => {
      const others = Array.from({ length: 12 }, (_, number) => `other-${number}`);
      expect(statuses(await Promise.all(['gone', ...others].map((who) => identify(who))))).toEqual([
        204,
      ]);
      expect(statuses(await Promise.all(['gone', ...others].map(read)))).toEqual([200]);
      await lose('gone', code, message);
      const [lost, ...there] = await Promise.all(['gone', ...others].map(read));
      const [unwritten, ...written] = await Promise.all(
        ['gone', ...others].map((who) => identify(who)),
      );
      const [unmoved, ...moved] = await Promise.all(['gone', ...others].map(transit));
      const together = await identify('gone', [{ identifier: 'acme' }]);
      expectTryAgain([lost!, unwritten!, unmoved!, together]);
      expect([there, written, moved].map(statuses)).toEqual([[200], [204], [204]]);
      await find();
      expect(statuses([await identify('gone'), await read('gone'), await transit('gone')])).toEqual(
        [204, 200],
      );
    },
  );

  test('a batch of users who are partly there is refused whole, with 503 (G4, U4)', async () => {
    await lose('gone', 'XX000', 'connection not open');
    const body = ['gone', 'here'].map((identifier) => ({
      identifier,
      properties: { plan: 'gold' },
    }));
    expectTryAgain([await call(users, 'POST /identify/batch', { key: keys.users, body })]);
  });

  test('pages of users who are there are told what moves (G4)', async () => {
    for (const user of ['absent', 'here']) {
      await identify(user);
      await read(user);
      const page = new LiveClient({ url: blocks.url, key: keys.blocks, user });
      pages.push(page);
      await page.next('ready');
      page.socket.emit('watch:flow', 'walk', 1);
      await page.next('flow');
    }
    await lose(
      'absent',
      '08006',
      'connection to the remote node 10.0.0.2:5432 failed with the following error: timeout',
      {
        spared: READ_FOR_A_MOVE,
      },
    );
    // Nobody knows whether the lost server carried it out, so its watchers look too, together with
    // the others.
    const [unmoved, moved] = await Promise.all([transit('absent'), transit('here')]);
    expectTryAgain([unmoved]);
    expect(moved.status).toBe(204);
    await pages[1]!.next('flow');
    await find();
    expect((await transit('absent')).status).toBe(204);
    await pages[0]!.next('flow');
  });

  test('a victim of a deadlock across servers tries again and is answered, within its patience (G4, R7)', async () => {
    const words = 'canceling the transaction since it was involved in a distributed deadlock';
    await identify('late');
    await read('late');
    for (const work of [
      () => identify('late'),
      () => identify('late', [{ identifier: 'acme' }]),
      () => transit('late'),
    ]) {
      // Again where the machine was so slow that its patience ended before the third try.
      await until(async () => {
        await lose('late', '40P01', words, { tries: 2 });
        return (await work()).status === 204;
      });
      const [row] = await dataSource.query<{ tried: string }[]>(
        'SELECT last_value AS tried FROM tried',
      );
      expect(Number(row!.tried)).toBeGreaterThan(2);
    }
    await lose('late', '40P01', words);
    expectTryAgain([await identify('late'), await transit('late')]);
  });
});
