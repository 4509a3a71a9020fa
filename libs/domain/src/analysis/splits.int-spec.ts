import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { card, defineFlow, someone, split } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { explainUser, planFlows, simulateFlow } from './index.js';

const flowOf = (shares: Record<string, number>) =>
  defineFlow({
    flow: 'offers',
    start: 'hello',
    blocks: {
      hello: card({ complete: 'offer', dismiss: 'finish' }),
      offer: split(
        shares,
        Object.fromEntries(Object.keys(shares).map((name) => [name, `${name}-card`])),
      ),
      ...Object.fromEntries(Object.keys(shares).map((name) => [`${name}-card`, card()])),
    },
  });
const offers = flowOf({ short: 0, long: 20 });
const PEOPLE = ['ann', 'bob', 'cid'];

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
  for (const user of PEOPLE) await fixture.identify(user, {});
  await fixture.commit(offers);
  for (const user of PEOPLE) await fixture.read(user, 'offers');
  for (const user of ['ann', 'bob']) await fixture.take(user, 'offers', 1, 'hello', ['complete']);
});
afterAll(() => fixture.close());

describe('explain says of a split', () => {
  const explain = (user: string) =>
    explainUser(fixture.dataSource, fixture.environmentId, { flow: 'offers', user });

  test('which way a user went, and by which share (K2)', async () => {
    const { splits, reasons } = await explain('ann');
    expect(splits).toEqual([{ block: 'offer', isTaken: true, way: 'long', share: 20, ofAll: 20 }]);
    expect(reasons).toContain('split offer sent the user along long, whose share is 20 of 20');
  });

  test('which way a user would go who has not come there (K2)', async () => {
    const { splits, reasons } = await explain('cid');
    expect(splits).toMatchObject([{ isTaken: false, way: 'long' }]);
    expect(reasons).toContain(
      'split offer would send the user along long, whose share is 20 of 20',
    );
  });
});

describe('a plan', () => {
  const plan = async (definition: typeof offers) =>
    (
      await planFlows(fixture.dataSource, fixture.environmentId, {
        definitions: [definition],
        strategies: ['carry-over'],
      })
    )[0]!;

  test('counts users whose way through a split is gone, and nobody else (K2)', async () => {
    expect((await plan(flowOf({ short: 1, none: 1 }))).users).toMatchObject({
      total: 3,
      ways: { 'offer:long': 2 },
    });
    expect((await plan(flowOf({ short: 1, long: 1 }))).users).not.toHaveProperty('ways');
  });

  test('says of a split that is not applied yet by which shares it sends people (K2)', async () => {
    const { blocks, ...flow } = flowOf({ short: 45, long: 55 });
    const fresh = blocks.map((block) =>
      block.type === 'split' ? { ...block, uid: 'new' } : block,
    );
    expect((await plan({ ...flow, blocks: fresh })).notes).toContain(
      'split offer is new: it sends people by its shares (short 45, long 55), and who goes which way is decided when it is applied',
    );
    expect((await plan(flowOf({ short: 45, long: 55 }))).notes.join()).not.toContain('is new');
  });
});

describe('a simulation', () => {
  const walk = (ways?: Record<string, string>) =>
    simulateFlow({
      definition: offers,
      steps: ['read', 'hello:complete'],
      context: someone(),
      ...(ways && { ways }),
    }).steps.at(-1)!.active;

  test('goes the way of its user, or the one that is named (K2)', () => {
    expect(walk()).toEqual(['long-card']);
    expect(walk({ offer: 'short' })).toEqual(['short-card']);
  });

  test.each([
    [{ hello: 'short' }, 'there is no split hello; it has offer'],
    [{ offer: 'none' }, 'split offer has no way none; it has short, long'],
    [{ constructor: 'x' }, 'there is no split constructor; it has offer'],
  ])('refuses ways that there are not: %j (K2)', (ways, message) => {
    expect(() => walk(ways)).toThrow(message);
  });
});
