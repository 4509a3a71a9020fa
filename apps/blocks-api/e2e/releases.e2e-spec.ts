import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createKey, getEnvironment } from '@waymark/domain/access';
import { pinFlow, setReleases } from '@waymark/domain/flows';
import { userId } from '@waymark/domain/users';
import { card, defineFlow } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { call, type SpawnedService, spawnService, until } from '@waymark/testing/services';

const author = { by: 'test' };
const keys: Record<string, string> = {};
let fixture: Fixture;
let production: string;
let replicas: SpawnedService[];

beforeAll(async () => {
  fixture = await Fixture.open();
  production = (await getEnvironment(fixture.dataSource, 'production')).id;
  for (const environment of ['development', 'production'])
    keys[environment] = (
      await createKey(fixture.dataSource, { environment, kind: 'blocks' }, author)
    ).key;
  await fixture.identify('ada');
  await fixture.dataSource.query(
    `INSERT INTO users (user_id, environment_id, identifier, properties) VALUES ($1, $2, 'ada', '{}')`,
    [userId(production, 'ada'), production],
  );
  await fixture.commit(versionOf(1));
  const settings = { DATABASE_URL: fixture.testDatabase.url };
  replicas = await Promise.all([1, 2].map(() => spawnService('blocks-api', settings)));
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  await fixture.close();
});

const versionOf = (number: number, flow = 'tour') =>
  defineFlow({ flow, blocks: { [`${flow}-a`]: card(), [`${flow}-${number}`]: card() } });

const read = async (replica: SpawnedService, environment: string, flow = 'tour') => {
  const target = `GET /v2/flow/${flow}?userIdentifier=ada&version=latest`;
  const { status, body } = await call(replica, target, { key: keys[environment] });
  return status === 200 ? (body as { version: number }).version : status;
};
const allRead = async (environment: string, version: number, flow = 'tour') =>
  (await Promise.all(replicas.map((replica) => read(replica, environment, flow)))).every(
    (one) => one === version,
  );

test('commits in one environment while another reads for a while change nothing there (Z10)', async () => {
  await setReleases(fixture.dataSource, 'production', true, author);
  await until(() => allRead('production', 1));
  let isDone = false;
  const seen = new Set<number>();
  const readers = replicas.map(async (replica) => {
    while (!isDone) seen.add(await read(replica, 'production'));
  });
  for (let number = 2; number <= 12; number++) {
    await fixture.commit(versionOf(number));
    await until(() => allRead('development', number));
  }
  isDone = true;
  await Promise.all(readers);
  expect([...seen]).toEqual([1]);
  await pinFlow(fixture.dataSource, production, 'tour', 12, author);
  await until(() => allRead('production', 12));
});

test('a flow that is not released is 404 on every replica and not among those that are read together (Z10, B13)', async () => {
  await fixture.commit(versionOf(1, 'later'));
  await until(() => allRead('development', 1, 'later'));
  expect(await allRead('production', 404, 'later')).toBe(true);
  const listed = await call(replicas[0]!, 'GET /v2/flows?userIdentifier=ada&flow=tour&flow=later', {
    key: keys['production'],
  });
  expect(listed.body).toMatchObject({ flows: [{ sid: 'tour' }], unknown: ['later'] });
  const types = await call(replicas[0]!, 'GET /v2/types?flow=later', { key: keys['production'] });
  expect(types.status).toBe(404);
  await pinFlow(fixture.dataSource, production, 'later', 1, author);
  await until(() => allRead('production', 1, 'later'));
  await setReleases(fixture.dataSource, 'production', false, author);
  await fixture.commit(versionOf(1, 'at-once'));
  await until(() => allRead('production', 1, 'at-once'));
  expect(await allRead('production', 12)).toBe(true);
});
