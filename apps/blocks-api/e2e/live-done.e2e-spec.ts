import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createKey } from '@waymark/domain/access';
import { card, checklist, defineFlow, doneBy, hints } from '@waymark/testing/builders';
import { call, type SpawnedService, spawnService } from '@waymark/testing/services';
import type { LiveClient } from './live-client.js';
import { LiveReplicas } from './live-replicas.js';

const todo = defineFlow({
  flow: 'todo',
  blocks: {
    list: doneBy(
      {
        invite: 'user.properties.invited',
        publish: 'user.events["Published"].count > 1',
        pay: 'group.properties.paid',
      },
      checklist(['invite', 'publish', 'pay', 'click'], { complete: 'finish' }),
    ),
  },
});
const chain = defineFlow({
  flow: 'chain',
  target: { users: 'api-only' },
  blocks: {
    one: doneBy('user.properties.ready', card({ complete: 'two' })),
    two: doneBy('user.properties.ready', card({ complete: 'three' })),
    three: doneBy({ tip: 'user.properties.never' }, hints(['tip'], { complete: 'finish' })),
  },
});
const teams = defineFlow({
  flow: 'teams',
  blocks: {
    pick: doneBy('group.properties.paid', card({ complete: 'plan' })),
    plan: doneBy('group.properties.paid', card({ complete: 'end' })),
    end: card(),
  },
});

let live: LiveReplicas;
let users: SpawnedService;
let usersKey: string;
let ada: string;
let count = 0;

beforeAll(async () => {
  live = await LiveReplicas.open(2);
  const made = await createKey(
    live.fixture.dataSource,
    { environment: 'development', kind: 'users' },
    { by: 'test' },
  );
  usersKey = made.key;
  users = await spawnService('users-api', { DATABASE_URL: live.fixture.testDatabase.url });
  await live.commit(todo, chain, teams);
});
afterAll(async () => {
  await users.stop();
  await live.close();
});
beforeEach(async () => {
  ada = `ada-${++count}`;
  await post('identify', { identifier: ada });
});

async function post(path: string, body: object): Promise<void> {
  const { status } = await call({ url: users.url }, `POST /${path}`, { key: usersKey, body });
  expect(status).toBe(204);
}

/** A page of the user, on the second replica; everything else is asked of the first. */
async function page(flow: string, group?: string): Promise<LiveClient> {
  const client = await live.connect(ada, { url: live.url(1), ...(group && { group }) });
  await client.watch(flow);
  return client;
}

const read = (flow: string) =>
  live.get(`/v2/flow/${flow}?userIdentifier=${ada}&version=1&include=block`);

describe('an open page on another replica', () => {
  test('learns of what an identify did, by itself, once (Z1, L5)', async () => {
    await read('todo');
    const client = await page('todo');
    await post('identify', { identifier: ada, properties: { invited: true } });
    const { blocks, flow } = await client.nextPush();
    expect(flow.revision).toBe(2);
    expect(Object.values(blocks)).toMatchObject([
      {
        sid: 'todo.invite',
        state: { active: false, exited: true },
        transitioned: { complete: true },
      },
    ]);
    const events = await live.fixture.loadEvents(ada, 'todo', 1);
    expect(events.map(({ event, origin }) => [event.cause.kind, origin])).toEqual([
      ['start', 'read'],
      ['condition', 'condition'],
    ]);
  });

  test('learns of what a tracked event did (Z1, Z2)', async () => {
    await read('todo');
    const client = await page('todo');
    for (let times = 0; times < 2; times++)
      await post('track', { userIdentifier: ada, event: 'Published' });
    expect(Object.keys((await client.nextPush()).blocks)).toEqual(['u-publish']);
  });

  test.each([
    ['the group that it names', 'acme'],
    ['a group of its user', undefined],
  ])('learns of what was identified of %s (Z1, S33)', async (_, named) => {
    const group = `${named ?? 'own'}-${ada}`;
    if (!named) await post('identify', { identifier: ada, groups: [{ identifier: group }] });
    await read('todo');
    const client = await page('todo', named && group);
    await post('identify/group', { identifier: group, properties: { paid: true } });
    expect(Object.keys((await client.nextPush()).blocks)).toEqual(['u-pay']);
  });

  test('learns of what holds already where a request starts the flow, and of what follows from that (Z1)', async () => {
    await post('identify', { identifier: ada, properties: { ready: true } });
    const client = await page('chain');
    await live.intent(ada, 'chain', 'start', 0, '&force=true');
    const revisions = [];
    for (let push = 0; push < 3; push++) revisions.push((await client.nextPush()).flow.revision);
    expect(revisions).toEqual([1, 2, 3]);
    expect((await live.fixture.findState(ada, 'chain', 1))!.state.blocks['u-tip']).toEqual({
      active: true,
      entered: true,
    });
  });
  test('learns of all that holds in its group, also where another page names another group (Z1)', async () => {
    const group = `paying-${ada}`;
    await read('teams');
    const pages = [await page('teams', group), await page('teams', `other-${ada}`)];
    await post('identify/group', { identifier: group, properties: { paid: true } });
    for (const client of pages) await client.until('u-end', ({ state }) => state.active);
  });
});
