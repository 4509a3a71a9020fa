import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { Stage } from '@waymark/testing/stage';
import type { DataSource } from 'typeorm';
import { poolOf } from '../database/index.js';
import { commandState } from '../flow-states/index.js';
import { openOperatorAccess } from './open-operator-access.js';

const FLOW = defineFlow({ flow: 'tour', blocks: { start: card() } });

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
  await stage.commit(FLOW);
  await stage.identify('ada');
});
afterAll(() => stage.close());

/** Statements that the connections of a pool have prepared. */
async function countPrepared(dataSource: DataSource): Promise<number> {
  const pool = poolOf(dataSource);
  const clients = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
  const counts = clients.map((client) => client.query<{ count: number }>('SELECT count(*)::int FROM pg_prepared_statements'));
  const found = (await Promise.all(counts)).reduce((sum, { rows }) => sum + rows[0]!.count, 0);
  for (const client of clients) client.release();
  return found;
}

test('what operators change prepares statements only where the pooler can keep them', async () => {
  const reset = { user: 'ada', flow: 'tour', version: 1, intent: { kind: 'reset', force: true } } as const;
  const prepared = async (isOn: boolean): Promise<number> => {
    const dataSource = await stage.testDatabase.connect();
    await commandState(openOperatorAccess(dataSource, isOn), stage.environmentId, reset, { by: 'ann' });
    return countPrepared(dataSource);
  };
  expect(await prepared(false)).toBe(0);
  expect(await prepared(true)).toBeGreaterThan(0);
});
