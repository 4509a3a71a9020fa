import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { branch, card, defineFlow } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { groupId, userId } from '../users/index.js';
import { FlowStateReader } from './read/flow-state-reader.js';
import { ResetUsers } from './reset/reset-users.js';

const gold = defineFlow({
  flow: 'gold',
  target: { users: 'matching', when: 'group.properties.plan == "gold"' },
  blocks: {
    hello: card({ complete: 'large' }),
    large: branch('group.properties.plan == "gold" AND group.properties.seats > 10', {
      true: 'seats',
      false: 'few',
    }),
    seats: card(),
    few: card(),
  },
});
const plain = defineFlow({ flow: 'plain', blocks: { 'plain-a': card() } });

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
  await fixture.commit(gold);
  await fixture.commit(plain);
  for (const user of ['ada', 'bob', 'cy']) await fixture.identify(user);
  await fixture.identifyGroup('zinc', { plan: 'gold', seats: 5 });
  await fixture.identifyGroup('acme', { plan: 'free', seats: 50 });
  await fixture.identifyGroup('Zeta', { plan: 'gold', seats: 50 });
  await fixture.join('ada', 'zinc', 'acme');
  await fixture.join('bob', 'acme');
  await fixture.join('cy', 'Zeta', 'zinc', 'acme');
});
afterAll(() => fixture.close());

describe('without groupIdentifier', () => {
  test('a user enters a flow for one of their groups, and a user of other groups does not (S33)', async () => {
    expect((await fixture.read('ada', 'gold')).state.started).toBe(true);
    expect((await fixture.read('bob', 'gold')).state.started).toBe(false);
  });

  test('a branch holds for one group throughout, not for what several have together (S33)', async () => {
    expect(
      (await fixture.take('ada', 'gold', 'latest', 'hello', ['complete'])).state.blocks,
    ).toHaveProperty('u-few');
    await fixture.read('cy', 'gold');
    expect(
      (await fixture.take('cy', 'gold', 'latest', 'hello', ['complete'])).state.blocks,
    ).toHaveProperty('u-seats');
  });

  test('a reset of those for whom a condition holds asks their groups too (S33)', async () => {
    const resets = new ResetUsers(fixture.dataSource, fixture.runner, fixture.changes);
    const flow = await fixture.catalogue.getFlow('gold', 1);
    const count = async (when: string) =>
      (
        await resets.run(
          fixture.environmentId,
          flow,
          { when, force: false, dryRun: true },
          { by: 'ann' },
        )
      ).matched;
    expect(await count('group.properties.seats > 10 AND group.properties.plan == "gold"')).toBe(1);
    expect(await count('group.properties.plan == "gold"')).toBe(2);
  });
});

test('with groupIdentifier it is that group alone, member or not (S33, B3)', async () => {
  await fixture.identify('dee');
  await fixture.join('dee', 'zinc');
  expect((await fixture.read('dee/acme', 'gold')).state.started).toBe(false);
  expect((await fixture.read('bob/Zeta', 'gold')).state.started).toBe(true);
});

test('groups come in the order of their identifiers, only for flows that mention group and where none is named (S33)', async () => {
  const reader = new FlowStateReader(fixture.database);
  const find = async (flow: string, group: string | null = null) => {
    const [user, named] = [
      userId(fixture.environmentId, 'cy'),
      group && groupId(fixture.environmentId, group),
    ];
    const resolved = await fixture.catalogue.getFlow(flow, 1);
    return (await reader.find({ userId: user, groupId: named, flow: resolved, looks: 'always' }))
      ?.context;
  };
  expect((await find('gold'))?.groups?.map(({ identifier }) => identifier)).toEqual([
    'Zeta',
    'acme',
    'zinc',
  ]);
  expect(await find('plain')).not.toHaveProperty('groups');
  expect(await find('gold', 'acme')).not.toHaveProperty('groups');
});
