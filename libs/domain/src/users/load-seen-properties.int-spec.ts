import { expect, test } from '@jest/globals';
import { useTestDatabase } from '@waymark/testing/postgres';
import { loadSeenEvents, loadSeenProperties } from './load-seen-properties.js';

const own = useTestDatabase();

async function insert(
  table: 'user' | 'group',
  count: number,
  properties: string,
  id = 'gen_random_uuid()',
): Promise<void> {
  const [environment] = (await own.dataSource.query('SELECT id FROM environments LIMIT 1')) as [
    { id: string },
  ];
  await own.dataSource.query(
    `INSERT INTO ${table}s (${table}_id, environment_id, identifier, properties)
       SELECT ${id}, $1, gen_random_uuid()::text, ${properties} FROM generate_series(1, ${count}) n`,
    [environment.id],
  );
}

test('the names of the properties that users and groups have are known, and how many were looked at (S4)', async () => {
  expect(await loadSeenProperties(own.dataSource.manager)).toEqual({
    user: { names: new Set(), lookedAt: 0 },
    group: { names: new Set(), lookedAt: 0 },
  });
  await insert('user', 3, `'{"plan": "pro", "constructor": null}'`);
  await insert('user', 1, `'{"roles": []}'`);
  await insert('group', 1, `'{"seats": 3}'`);
  expect(await loadSeenProperties(own.dataSource.manager)).toEqual({
    user: { names: new Set(['plan', 'constructor', 'roles']), lookedAt: 4 },
    group: { names: new Set(['seats']), lookedAt: 1 },
  });
});

test('of many users ten thousand are looked at, and nothing is said where names are made up by the thousand (S4)', async () => {
  await insert('user', 12_000, `jsonb_build_object('plan', n)`);
  const { user } = await loadSeenProperties(own.dataSource.manager);
  expect(user.lookedAt).toBe(10_000);
  await insert(
    'user',
    1,
    `(SELECT jsonb_object_agg('made-' || k, k) FROM generate_series(1, 10001) k)`,
    `'00000000-0000-0000-0000-000000000000'::uuid`,
  );
  expect((await loadSeenProperties(own.dataSource.manager)).user.lookedAt).toBe(0);
});

test('the names of what users did are known, and of how many (S4, Z2)', async () => {
  expect((await loadSeenEvents(own.dataSource.manager)).lookedAt).toBe(0);
  await own.dataSource.query(
    `INSERT INTO tracked_users (user_id, names, recent_ids, counted_ids)
       VALUES (gen_random_uuid(), '{Invited,Paid}', '{}', '{}'), (gen_random_uuid(), '{Paid}', '{}', '{}')`,
  );
  expect(await loadSeenEvents(own.dataSource.manager)).toEqual({
    names: new Set(['Invited', 'Paid']),
    lookedAt: 2,
  });
});
