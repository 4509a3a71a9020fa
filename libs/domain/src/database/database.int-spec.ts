import { expect, test } from '@jest/globals';
import { distributeTables } from '@waymark/domain/schema';
import { createTestDatabase, rehearseCitus } from '@waymark/testing/postgres';
import { Database, type Statement } from './index.js';

/** One that PostgreSQL refuses with the code by which Citus refuses: 0A000. */
const REFUSED: Statement = {
  name: 'refused',
  text: 'SELECT count(*) FROM users FOR UPDATE',
  servers: 'one',
};

test('in the moment of distribution each of several refused at once is told to try again (G1)', async () => {
  const testDatabase = await createTestDatabase();
  const dataSource = await testDatabase.connect();
  const database = new Database(dataSource);
  expect(await database.isDistributed()).toBe(false);
  await expect(database.run(REFUSED, [])).rejects.toMatchObject({ code: '0A000' });
  await rehearseCitus(testDatabase.url);
  await distributeTables(dataSource);
  const refusals = await Promise.allSettled(
    Array.from({ length: 10 }, () => database.run(REFUSED, [])),
  );
  const later = database.run(REFUSED, []);
  await expect(later).rejects.toMatchObject({ code: 'database.unavailable' });
  expect(refusals).toEqual(
    refusals.map(() => ({
      status: 'rejected',
      reason: expect.objectContaining({ code: 'database.unavailable' }),
    })),
  );
  expect(await database.isDistributed()).toBe(true);
  await testDatabase.drop();
});
