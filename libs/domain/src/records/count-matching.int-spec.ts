import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { evaluateCondition, parseExpression } from '@waymark/domain/targeting';
import { Fixture } from '@waymark/testing/fixture';
import { countMatching, findMatchingPage, type MatchOptions } from './count-matching.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
  await fixture.identifyAll(
    Array.from({ length: 10_000 }, (_, index) => `user ${index}`),
    (index) => ({ number: index }),
  );
  await fixture.identifyGroup('acme', { plan: 'gold' });
  await fixture.join('user 3', 'acme');
});
afterAll(() => fixture.close());

function optionsOf(when: string, deadline = new AbortController().signal): MatchOptions {
  const condition = parseExpression(when);
  return {
    groups: condition.mentionsGroup,
    holds: async (contexts) => contexts.map((context) => evaluateCondition(condition, context)),
    deadline,
  };
}

const count = (when: string, deadline?: AbortSignal) =>
  countMatching(fixture.dataSource, fixture.environmentId, optionsOf(when, deadline));

/** All pages, each with how many it names. */
async function findAll(when: string, deadline?: AbortSignal) {
  const users: string[] = [];
  const sizes: number[] = [];
  const done: number[] = [];
  for (let after: string | undefined, isFirst = true; isFirst || after !== undefined;) {
    const page = await findMatchingPage(fixture.dataSource, fixture.environmentId, {
      ...optionsOf(when, deadline),
      limit: 100,
      ...(after !== undefined && { after }),
    });
    users.push(...page.users);
    sizes.push(page.users.length);
    done.push(page.done);
    after = page.next;
    isFirst = false;
  }
  return { users, sizes, done };
}

test('everybody is looked at among ten thousand users, and groups where they are asked for (T15)', async () => {
  expect(await count('user.properties.number < 25')).toEqual({
    matching: 25,
    lookedAt: 10_000,
  });
  expect(await count('group.properties.plan == "gold"')).toEqual({
    matching: 1,
    lookedAt: 10_000,
  });
});

test('a count whose time is up says of how many it is, and how far it may be off', async () => {
  const { matching, lookedAt, margin } = await count('true', AbortSignal.abort());
  expect([matching, lookedAt < 10_000, margin! > 0]).toEqual([lookedAt, true, true]);
});

test('of more, the ten thousand lowest ids are looked at', async () => {
  await fixture.identify('one more');
  expect(await count('true')).toEqual({ matching: 10_000, lookedAt: 10_000, margin: 0.0098 });
});

test('page by page everybody who matches is found once, and each page says how far it has come (T17)', async () => {
  const { users, sizes, done } = await findAll('user.properties.number < 250');
  expect([new Set(users).size, sizes]).toEqual([250, [100, 100, 50]]);
  expect(done).toEqual([...done].sort((a, b) => a - b));
  expect([done[0]! > 0.2, done.at(-1)]).toEqual([true, 1]);
});

test('a page ends once ten thousand were looked at, or when its time is up, and the next goes on (T17)', async () => {
  await fixture.identifyAll(
    Array.from({ length: 600 }, (_, index) => `later ${index}`),
    () => ({}),
  );
  const bounded = await findAll('false');
  expect(bounded.sizes).toEqual([0, 0]);
  const { users, sizes } = await findAll('user.properties.number < 30', AbortSignal.abort());
  expect([new Set(users).size, sizes.length > 5]).toEqual([30, true]);
});
