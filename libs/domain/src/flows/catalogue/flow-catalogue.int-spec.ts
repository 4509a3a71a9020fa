import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { createTestDatabase, onOneServer, startThrowawayPostgres } from '@waymark/testing/postgres';
import { Fixture } from '@waymark/testing/fixture';
import { createDataSource } from '../../schema/data-source.js';
import { Database } from '../../database/database.js';
import { ReferenceWatch } from '../../database/reference-watch.js';
import { commitFlow } from '../publish/commit-flow.js';
import { FlowCatalogue } from './flow-catalogue.js';
import { archiveFlow } from '../publish/archive-flow.js';
import { storeDefinition } from '../draft/store-definition.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
  await fixture.commit(defineFlow({ flow: 'known', blocks: { k1: card(), k2: card() } }));
});
afterAll(() => fixture.close());

test('what changes is told within one poll of the watch; committed versions stay the very same object (S26)', async () => {
  const watch = new ReferenceWatch(fixture.database);
  const catalogue = new FlowCatalogue(fixture.database, watch);
  await watch.poll();
  const told = () => new Promise<void>((resolve) => catalogue.onRefresh(resolve));
  const first = await catalogue.getFlow('known', 'latest', fixture.environmentId);
  const edited = defineFlow({ flow: 'known', blocks: { k1: card() } });
  await fixture.dataSource.transaction((manager) => storeDefinition(manager, edited));
  let refreshed = told();
  await watch.poll();
  await refreshed;
  expect(await catalogue.getFlow('known', 1)).toBe(first);
  expect(await catalogue.getFlow('known', 0)).toMatchObject({ version: 0, edition: 2 });
  await fixture.dataSource.transaction((manager) => commitFlow(manager, 'known', 'second'));
  await archiveFlow(fixture.dataSource, 'known', { by: 'test' });
  refreshed = told();
  await watch.poll();
  await refreshed;
  await expect(catalogue.getFlow('known', 1)).rejects.toMatchObject({ code: 'flow.unknown' });
  await fixture.apply(edited);
  refreshed = told();
  await watch.poll();
  await refreshed;
  expect(await catalogue.getFlow('known', 'latest', fixture.environmentId)).toMatchObject({
    version: 2,
  });
});

test('blocks are found by uid and by sid; only where the version has them (B2)', async () => {
  await fixture.commit(defineFlow({ flow: 'finding', blocks: { f1: card() } }));
  await fixture.apply(defineFlow({ flow: 'finding', blocks: { f2: card() } }));
  const idOf = async (uid: string, version: number) =>
    (await fixture.catalogue.getBlock(uid, version)).block.id;
  expect(await idOf('u-f1', 1)).toBe('f1');
  expect(await idOf('finding.f2', 0)).toBe('f2');
  for (const [uid, version] of [
    ['u-f2', 1],
    ['u-f1', 0],
    ['finding.f1', 0],
    ['finding.f2.x', 0],
    ['u-none', 0],
  ] as const)
    await expect(fixture.catalogue.getBlock(uid, version)).rejects.toMatchObject({
      code: 'block.unknown',
    });
});

test('without the database it answers for what it has, and is right again when it returns', async () => {
  const server = await startThrowawayPostgres();
  const settings = {
    poolSize: 2,
    applicationName: 'test',
    statementTimeoutMs: 0,
    connectTimeoutMs: 500,
    answerTimeoutMs: 500,
  };
  const dataSource = await createDataSource({ url: server.url, ...settings }).initialize();
  const database = new Database(dataSource);
  const catalogue = new FlowCatalogue(database);
  const two = (flow: string) => defineFlow({ flow, blocks: { [flow]: card() } });
  await dataSource.transaction((manager) => storeDefinition(manager, two('kept')));
  await dataSource.transaction((manager) => storeDefinition(manager, two('cold')));
  await catalogue.getFlow('kept', 0);
  await server.stop('immediate');
  await expect(catalogue.refresh()).rejects.toMatchObject({ code: 'database.unavailable' });
  expect(await catalogue.getFlow('kept', 0)).toMatchObject({ flow: 'kept' });
  await expect(catalogue.getFlow('cold', 0)).rejects.toMatchObject({
    code: 'database.unavailable',
  });
  await server.start();
  const refreshed = new Promise<void>((resolve) => catalogue.onRefresh(resolve));
  while (!(await catalogue.getFlow('cold', 0).catch(() => null)));
  await refreshed;
  expect(await catalogue.getFlow('cold', 0)).toMatchObject({ flow: 'cold' });
  await dataSource.destroy();
  await server.remove();
});

onOneServer('after a restore there, services are restarted')(
  'after a restore, what was committed instead under the same number is served (S26)',
  async () => {
    const database = await createTestDatabase();
    const dataSource = await database.connect();
    const commit = (block: string) =>
      dataSource.transaction(async (manager) => {
        await storeDefinition(
          manager,
          defineFlow({ flow: 'restored', blocks: { [block]: card() } }),
        );
        await commitFlow(manager, 'restored', 'a commit');
      });
    const snapshot = () =>
      dataSource.query('SELECT name, revision FROM reference_revisions ORDER BY name') as Promise<
        object[]
      >;
    await commit('lost');
    const revisions = await snapshot();
    const watch = new ReferenceWatch(new Database(dataSource), 5);
    const catalogue = new FlowCatalogue(new Database(dataSource), watch);
    const look = async () => {
      const refreshed = new Promise<void>((resolve) => catalogue.onRefresh(resolve));
      await watch.poll();
      await refreshed;
    };
    await look();
    expect((await catalogue.getFlow('restored', 1)).compiled.byIdentifier.has('lost')).toBe(true);

    await dataSource.query('DELETE FROM block_uids; DELETE FROM flow_versions; DELETE FROM flows');
    await dataSource.query('UPDATE reference_revisions SET revision = 0');
    while (JSON.stringify(await snapshot()) !== JSON.stringify(revisions)) await commit('kept');
    await look();
    expect((await catalogue.getFlow('restored', 1)).compiled.byIdentifier.has('kept')).toBe(true);
    await database.drop();
  },
);
