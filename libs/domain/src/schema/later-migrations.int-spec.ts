import { expect, test } from '@jest/globals';
import { findRefusals } from '@waymark/testing/citus';
import { createTestDatabase } from '@waymark/testing/postgres';
import type { QueryRunner } from 'typeorm';
import { distributeTables } from './index.js';
import { MIGRATIONS } from './migrations/index.js';

/**
 * The first one makes the tables; whatever comes behind it may come to tables that are distributed.
 */
const LATER = MIGRATIONS.slice(1).map((Migration) => new Migration());
const nameOf = (migration: object) => migration.constructor.name;

/** The same runner, which remembers what it was given. */
function remembering(runner: QueryRunner, texts: string[]): QueryRunner {
  const query: QueryRunner['query'] = (text: string, ...rest: never[]) => {
    texts.push(text);
    return runner.query(text, ...rest);
  };
  return new Proxy(runner, {
    get: (of, name) => (name === 'query' ? query : Reflect.get(of, name, of)),
  });
}

test('every migration goes back and forth on tables that are distributed, and says nothing that Citus refuses (G2)', async () => {
  const database = await createTestDatabase({ rehearsed: true });
  const dataSource = await database.connect();
  const runner = dataSource.createQueryRunner();
  const said = new Map<string, string[]>(LATER.map((migration) => [nameOf(migration), []]));
  for (const migration of LATER.toReversed())
    await migration.down(remembering(runner, said.get(nameOf(migration))!));
  for (const migration of LATER)
    await migration.up(remembering(runner, said.get(nameOf(migration))!));
  await runner.release();
  const refused: Record<string, string[]> = {};
  for (const texts of said.values())
    for (const text of texts) {
      const refusals = await findRefusals(text);
      if (refusals.length > 0) refused[text] = refusals;
    }
  expect([...said].filter(([, texts]) => texts.length < 2)).toEqual([]);
  expect(refused).toEqual({});
  const { distributed, copied } = await distributeTables(dataSource);
  expect(distributed).toEqual(['delays', 'attention_states', 'user_events', 'tracked_users']);
  expect(copied).toContain('audit_log');
  await database.drop();
});
