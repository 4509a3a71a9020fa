import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { EngineLevel1790000000100 } from '../../schema/migrations/1790000000100-engine-level.js';
import {
  BLOCKS_CONNECTIONS,
  countOlderConnections,
  loadEngineLevel,
  raiseEngineLevel,
} from './engine-level.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
});
afterAll(() => fixture.close());

const levelNow = () => loadEngineLevel(fixture.dataSource.manager);
const newer = { ...defineFlow({ flow: 'newer', blocks: { a: card() } }), format: 2 as const };

async function migrateAgain(): Promise<void> {
  const runner = fixture.dataSource.createQueryRunner();
  const migration = new EngineLevel1790000000100();
  await migration.down(runner);
  await migration.up(runner);
  await runner.release();
}

test('a new installation begins at the newest engine level, one in use where it was (Z0)', async () => {
  expect(await levelNow()).toBe(2);
  await fixture.apply(defineFlow({ flow: 'older', blocks: { b: card() } }));
  await migrateAgain();
  expect(await levelNow()).toBe(1);
});

test('a flow of format 2 is refused below that level, with the command that raises it, and nothing is stored (Z0)', async () => {
  await expect(fixture.apply(newer)).rejects.toMatchObject({
    code: 'definition.refused',
    message: expect.stringMatching(/^flow newer .*`waymark migrate finish`/),
  });
  expect(await fixture.dataSource.query("SELECT flow FROM flows WHERE flow = 'newer'")).toEqual([]);
  await fixture.apply(defineFlow({ flow: 'older', blocks: { c: card() } }));
  expect(await raiseEngineLevel(fixture.dataSource)).toEqual({ level: 2, raised: true });
  await fixture.apply(newer);
  expect(await raiseEngineLevel(fixture.dataSource)).toEqual({ level: 2, raised: false });
});

test('replicas of blocks-api that read less are told by what their connections are called (Z0)', async () => {
  const names = [BLOCKS_CONNECTIONS, 'blocks-api live bus', 'users-api', 'blocks-api, format 99'];
  const older = ['blocks-api', 'blocks-api, format 1'];
  const connections = await Promise.all(
    [...names, ...older].map(async (name) => {
      const connection = await fixture.testDatabase.connect();
      await connection.query(`SET application_name = '${name}'`);
      return connection;
    }),
  );
  expect(await countOlderConnections(fixture.dataSource)).toBe(2);
  for (const connection of connections) await connection.destroy();
});
