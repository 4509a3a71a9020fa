import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@waymark/testing/postgres';
import { spawnService, type SpawnedService, until } from '@waymark/testing/services';
import request from 'supertest';
import { runWaymark } from './run-waymark.js';

const FLOW = fileURLToPath(new URL('../../../examples/flows/onboarding.yaml', import.meta.url));
const ADA = { identifier: 'ada', properties: { plan: 'pro', roles: ['Admin'] } };
const QUERY = { userIdentifier: 'ada', version: 'latest' };

let database: TestDatabase;
let users: [SpawnedService, SpawnedService];
let blocks: [SpawnedService, SpawnedService];
const keys = { users: '', blocks: '' };

const waymark = (...args: string[]) =>
  runWaymark([...args, '--json'], { env: { DATABASE_URL: database.url } });

beforeAll(async () => {
  database = await createTestDatabase();
  for (const kind of ['users', 'blocks'] as const) {
    keys[kind] = ((await waymark('key', 'create', '--kind', kind)).json() as { key: string }).key;
  }
  const settings = { DATABASE_URL: database.url, SHUTDOWN_GRACE_MS: '0' };
  const pair = (name: 'users-api' | 'blocks-api') =>
    Promise.all([spawnService(name, settings), spawnService(name, settings)]);
  [users, blocks] = await Promise.all([pair('users-api'), pair('blocks-api')]);
});
afterAll(async () => {
  await Promise.all([...users, ...blocks].map((service) => service.stop()));
  await database.drop();
});

const identify = (service: SpawnedService, body: object) =>
  request(service.url).post('/identify').set('x-api-key', keys.users).send(body);
const get = (service: SpawnedService, path: string, query: object = {}) =>
  request(service.url).get(path).set('x-api-key', keys.blocks).query(QUERY).query(query);
const post = (service: SpawnedService, path: string, query: object = {}) =>
  request(service.url).post(path).set('x-api-key', keys.blocks).query(QUERY).query(query);

interface Block {
  sid: string;
  state: { active: boolean };
}
const activeIn = ({ body }: { body: { blocks: Block[] } }) =>
  body.blocks.filter(({ state }) => state.active).map(({ sid }) => sid.replace('onboarding.', ''));

test('a flow from a file, users from one service, state from the other, two replicas of each, and a kill (R1)', async () => {
  expect(await waymark('flow', 'apply', FLOW, '--commit', '-m', 'first')).toMatchObject({
    status: 0,
  });
  await identify(users[0], ADA).expect(204, '');
  // Every replica knows a commit within a second.
  for (const service of blocks)
    await until(async () => (await get(service, '/v2/flow/onboarding')).status === 200);

  const read = await get(blocks[0], '/v2/flow/onboarding', { include: 'block' }).expect(200);
  expect(read.body).toMatchObject({
    uid: 'onboarding',
    version: 1,
    state: { started: true, finished: false },
  });
  expect(activeIn(read)).toEqual(['welcome']);

  await post(blocks[1], '/v2/block/onboarding.welcome/transition', { transitions: 'complete' })
    .expect(204, '')
    .expect('x-dopt-intent-side-effects', 'true');
  users[0].process.kill('SIGKILL');
  blocks[1].process.kill('SIGKILL');

  await identify(users[1], { identifier: 'ada', properties: { activated: true } }).expect(204);
  const beside = await get(blocks[0], '/v2/flow/onboarding', { include: 'block' }).expect(200);
  expect(activeIn(beside)).toEqual(['setup', 'invite', 'connect', 'tour', 'first']);

  await post(blocks[0], '/v2/block/onboarding.tour/transition', { transitions: 'dismiss' }).expect(
    204,
  );
  for (const item of ['connect', 'invite']) {
    await post(blocks[0], `/v2/block/onboarding.${item}/transition`, {
      transitions: 'complete',
    }).expect(204);
  }
  expect(activeIn(await get(blocks[0], '/v2/flow/onboarding', { include: 'block' }))).toEqual([
    'survey',
  ]);

  // She is activated now, so only `force` lets her in again.
  await post(blocks[0], '/v2/flow/onboarding/reset', { force: true })
    .expect(204)
    .expect('x-dopt-intent-side-effects', 'true');
  await get(blocks[0], '/v2/block/onboarding.welcome').expect(
    200,
    /"state":\{"active":true,"entered":true,"exited":false\}/,
  );

  const shown = (await waymark('user', 'show', 'ada')).json();
  expect(shown).toMatchObject({
    properties: { plan: 'pro', activated: true },
    flows: [{ flow: 'onboarding', revision: 6 }],
  });
});
