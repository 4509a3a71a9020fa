import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { card, custom, defineFlow, split } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { reportSplit, type SplitInput } from '../../index.js';

const flowOf = (shares: Record<string, number>, by: 'user' | 'group' = 'user') =>
  defineFlow({
    flow: `offers-${by}`,
    goal: 'user.properties.paid',
    start: `${by}-offer`,
    blocks: {
      [`${by}-offer`]: split(
        shares,
        Object.fromEntries(Object.keys(shares).map((name) => [name, `${by}-ask`])),
        by,
      ),
      [`${by}-ask`]: custom({ yes: 'finish', no: `${by}-end` }),
      [`${by}-end`]: card(),
    },
  });
const PEOPLE = Array.from({ length: 60 }, (_, index) => `user-${index}`);
const LATER = Array.from({ length: 400 }, (_, index) => `later-${index}`);
const paid = (user: string) => Number(user.split('-')[1]) % 3 === 0;
const says = (user: string) => (Number(user.split('-')[1]) % 2 === 0 ? 'yes' : 'no');

let fixture: Fixture;
const ways = new Map<string, string>();
beforeAll(async () => {
  fixture = await Fixture.open();
  for (const user of [...PEOPLE, ...LATER]) await fixture.identify(user, { paid: paid(user) });
  await fixture.commit(flowOf({ short: 1, long: 1 }));
  for (const user of PEOPLE) await go(user, 1);
});
afterAll(() => fixture.close());

async function go(user: string, version: number): Promise<void> {
  await fixture.read(user, 'offers-user');
  const state = (await fixture.findState(user, 'offers-user', version))!.state;
  ways.set(user, state.blocks['u-user-offer']!.transitioned![0]!);
  await fixture.take(user, 'offers-user', version, 'user-ask', [says(user)]);
}

const report = (input: Partial<SplitInput> = {}) =>
  reportSplit(fixture.dataSource, fixture.environmentId, {
    flow: 'offers-user',
    split: 'user-offer',
    ...input,
  });
const countOf = (way: string, holds: (user: string) => boolean = () => true) =>
  PEOPLE.filter((user) => ways.get(user) === way && holds(user)).length;

describe('a report of a split', () => {
  test('counts by way who came, who finished, and for whom the goal of the flow holds (K3)', async () => {
    const found = await report();
    expect(found).toMatchObject({
      version: 1,
      goal: { when: 'user.properties.paid' },
      outcome: 'goal',
      sampleRatio: { since: 1, people: 60 },
    });
    expect(
      found.ways.map(({ way, share, people, finished, goal }) => ({
        ...{ way, share, people },
        finished: finished.people,
        goal: goal!.people,
      })),
    ).toEqual(
      ['short', 'long'].map((way) => ({
        ...{ way, share: 1, people: countOf(way) },
        finished: countOf(way, (user) => says(user) === 'yes'),
        goal: countOf(way, paid),
      })),
    );
    expect(found.ways.map(({ difference }) => difference?.verdict)).toEqual([undefined, 'too-few']);
    expect(countOf('short') + countOf('long')).toBe(60);
  });

  test('counts a path as the goal, with the median time to it (K3)', async () => {
    const found = await report({ goalPath: 'user-ask.no' });
    expect(found).toMatchObject({ goal: { path: 'user-ask.no' }, followed: 30 });
    for (const { way, goal } of found.ways) {
      expect(goal!.people).toBe(countOf(way, (user) => says(user) === 'no'));
      expect(goal!.seconds).toBeGreaterThan(0);
    }
    // Times are from no more users than are followed.
    const none = await reportSplit(
      fixture.dataSource,
      fixture.environmentId,
      { flow: 'offers-user', split: 'user-offer', goalPath: 'user-ask.no' },
      { follow: 0 },
    );
    expect(none.ways.map(({ goal }) => goal!.seconds)).toEqual([null, null]);
  });

  test('counts another condition as the goal, and only those for whom a condition holds (K3)', async () => {
    const { ways: found } = await report({
      goal: 'NOT user.properties.paid',
      when: 'endsWith(user.identifier, "7")',
    });
    const isLucky = (user: string) => user.endsWith('7');
    expect(found.map(({ people, goal }) => [people, goal!.people])).toEqual(
      ['short', 'long'].map((way) => [
        countOf(way, isLucky),
        countOf(way, (user) => isLucky(user) && !paid(user)),
      ]),
    );
  });

  test.each<[Partial<SplitInput>, string]>([
    [{ split: 'user-ask' }, 'there is no split user-ask in this version; it has user-offer'],
    [{ goalPath: 'user-ask' }, 'has no transition ""'],
    [{ goalPath: 'user-ask.maybe' }, 'has no transition "maybe"'],
    [{ goalPath: 'user-offer.short' }, 'is not a path of a block that users see'],
    [{ goal: 'user.' }, 'the condition cannot be read'],
    [{ goal: 'true', goalPath: 'user-ask.yes' }, 'a condition or a path, not both'],
  ])('refuses %j (K3)', async (input, message) => {
    await expect(report(input)).rejects.toThrow(message);
  });
});

describe('whether as many came as the shares say', () => {
  test('is about those who were sent since the shares last changed (K3)', async () => {
    await fixture.commit(flowOf({ short: 1, long: 3 }));
    await fixture.commit({ ...flowOf({ long: 3, short: 1, gone: 0 }), name: 'Same shares' });
    for (const user of LATER) await go(user, 3);
    for (const user of PEOPLE) await fixture.read(user, 'offers-user');
    const found = await report();
    expect(found.version).toBe(3);
    expect(found.ways.reduce((sum, { people }) => sum + people, 0)).toBe(460);
    expect(found.sampleRatio).toMatchObject({ since: 2, people: 400 });
  });

  test('warns of shares that chance does not explain (K3)', async () => {
    await fixture.dataSource.query(
      `UPDATE flow_states SET state = jsonb_set(state, '{blocks,u-user-offer,transitioned}', '["short"]')
       WHERE flow = 'offers-user' AND version = 3 AND user_id IN (SELECT user_id FROM users WHERE identifier LIKE 'later-1%')`,
    );
    expect((await report()).sampleRatio).toMatchObject({ people: 400, isSuspicious: true });
  });

  test('is not said of splits by group, whose users are not sent one by one (K3)', async () => {
    await fixture.commit(flowOf({ short: 1, long: 1 }, 'group'));
    await fixture.read('user-1', 'offers-group');
    const found = await report({ flow: 'offers-group', split: 'group-offer' });
    expect(found).not.toHaveProperty('sampleRatio');
    expect(found.notes[0]).toMatch(/^users of one group go the same way/);
  });
});

test('the goal of a flow has the segments that its commit kept (K3, Z6, Z7)', async () => {
  const segments = { paying: 'user.properties.paid' };
  await fixture.commit({
    ...flowOf({ short: 1, long: 1 }, 'group'),
    ...{ format: 2, goal: 'segment("paying")', segments },
  });
  for (const user of ['user-0', 'user-1', 'user-3']) await fixture.read(user, 'offers-group');
  const found = await report({ flow: 'offers-group', split: 'group-offer' });
  expect(found.goal).toEqual({ when: '(user.properties.paid)' });
  expect(found.ways.reduce((sum, { goal }) => sum + goal!.people, 0)).toBe(2);
});
