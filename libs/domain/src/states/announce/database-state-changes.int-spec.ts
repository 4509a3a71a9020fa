import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import type { DataSource } from 'typeorm';
import { poolOf } from '../../database/index.js';
import { commandState } from '../index.js';
import { openOperatorAccess } from './database-state-changes.js';

const FLOW = defineFlow({ flow: 'tour', blocks: { start: card() } });

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
  await fixture.commit(FLOW);
  await fixture.identify('ada');
});
afterAll(() => fixture.close());

/** Statements that the connections of a pool have prepared. */
async function countPrepared(dataSource: DataSource): Promise<number> {
  const pool = poolOf(dataSource);
  const clients = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
  const counts = clients.map((client) =>
    client.query<{ count: number }>('SELECT count(*)::int FROM pg_prepared_statements'),
  );
  const found = (await Promise.all(counts)).reduce((sum, { rows }) => sum + rows[0]!.count, 0);
  for (const client of clients) client.release();
  return found;
}

test('what operators change prepares statements only where the pooler can keep them', async () => {
  const reset = {
    user: 'ada',
    flow: 'tour',
    version: 1,
    intent: { kind: 'reset', force: true },
  } as const;
  const prepared = async (isOn: boolean): Promise<number> => {
    const dataSource = await fixture.testDatabase.connect();
    await commandState(openOperatorAccess(dataSource, isOn), fixture.environmentId, reset, {
      by: 'ann',
    });
    return countPrepared(dataSource);
  };
  expect(await prepared(false)).toBe(0);
  expect(await prepared(true)).toBeGreaterThan(0);
});
