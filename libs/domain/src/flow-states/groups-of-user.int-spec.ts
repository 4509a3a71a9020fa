import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { branch, card, defineFlow } from '@waymark/testing/builders';
import { Stage } from '@waymark/testing/stage';
import { groupId, userId } from '../users/index.js';
import { FlowStateReader } from './read/flow-state-reader.js';
import { ResetUsers } from './reset/reset-users.js';

const gold = defineFlow({
  flow: 'gold',
  target: { users: 'matching', when: 'group.properties.plan == "gold"' },
  blocks: {
    hello: card({ complete: 'large' }),
    large: branch('group.properties.plan == "gold" AND group.properties.seats > 10', { true: 'seats', false: 'few' }),
    seats: card(),
    few: card(),
  },
});
const plain = defineFlow({ flow: 'plain', blocks: { 'plain-a': card() } });

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
  await stage.commit(gold);
  await stage.commit(plain);
  for (const user of ['ada', 'bob', 'cy']) await stage.identify(user);
  await stage.identifyGroup('zinc', { plan: 'gold', seats: 5 });
  await stage.identifyGroup('acme', { plan: 'free', seats: 50 });
  await stage.identifyGroup('Zeta', { plan: 'gold', seats: 50 });
  await stage.join('ada', 'zinc', 'acme');
  await stage.join('bob', 'acme');
  await stage.join('cy', 'Zeta', 'zinc', 'acme');
});
afterAll(() => stage.close());

describe('without groupIdentifier', () => {
  test('a user enters a flow for one of their groups, and a user of other groups does not (S33)', async () => {
    expect((await stage.read('ada', 'gold')).state.started).toBe(true);
    expect((await stage.read('bob', 'gold')).state.started).toBe(false);
  });

  test('a branch holds for one group throughout, not for what several have together (S33)', async () => {
    expect((await stage.take('ada', 'gold', 'latest', 'hello', ['complete'])).state.blocks).toHaveProperty('u-few');
    await stage.read('cy', 'gold');
    expect((await stage.take('cy', 'gold', 'latest', 'hello', ['complete'])).state.blocks).toHaveProperty('u-seats');
  });

  test('a reset of those for whom a condition holds asks their groups too (S33)', async () => {
    const resets = new ResetUsers(stage.dataSource, stage.runner, stage.changes);
    const flow = await stage.catalogue.getFlow('gold', 1);
    const count = async (when: string) =>
      (await resets.run(stage.environmentId, flow, { when, force: false, dryRun: true }, { by: 'ann' })).matched;
    expect(await count('group.properties.seats > 10 AND group.properties.plan == "gold"')).toBe(1);
    expect(await count('group.properties.plan == "gold"')).toBe(2);
  });
});

test('with groupIdentifier it is that group alone, member or not (S33, B3)', async () => {
  await stage.identify('dee');
  await stage.join('dee', 'zinc');
  expect((await stage.read('dee/acme', 'gold')).state.started).toBe(false);
  expect((await stage.read('bob/Zeta', 'gold')).state.started).toBe(true);
});

test('groups come in the order of their identifiers, only for flows that mention group and where none is named (S33)', async () => {
  const reader = new FlowStateReader(stage.database);
  const find = async (flow: string, group: string | null = null) => {
    const [user, named] = [userId(stage.environmentId, 'cy'), group && groupId(stage.environmentId, group)];
    const resolved = await stage.catalogue.getFlow(flow, 1);
    return (await reader.find({ userId: user, groupId: named, flow: resolved, looks: 'always' }))?.context;
  };
  expect((await find('gold'))?.groups?.map(({ identifier }) => identifier)).toEqual(['Zeta', 'acme', 'zinc']);
  expect(await find('plain')).not.toHaveProperty('groups');
  expect(await find('gold', 'acme')).not.toHaveProperty('groups');
});
