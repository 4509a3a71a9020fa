import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { countInProgress } from './count-in-progress.js';

let fixture: Fixture;
beforeAll(async () => void (fixture = await Fixture.open()));
afterAll(() => fixture.close());

test('users in progress are counted once in each flow, by the newest version that they met', async () => {
  await fixture.commit(defineFlow({ flow: 'f', blocks: { a: card({ complete: 'finish' }) } }));
  await fixture.commit(defineFlow({ flow: 'g', blocks: { b: card({ complete: 'finish' }) } }));
  for (const user of ['ann', 'bob', 'cy']) await fixture.identify(user);
  for (const user of ['ann', 'bob', 'cy']) await fixture.read(user, 'f');
  await fixture.take('bob', 'f', 1, 'a', ['complete']);
  await fixture.commit(
    defineFlow({ flow: 'f', blocks: { a: card({ complete: 'finish' }), c: card() } }),
  );
  await fixture.read('ann', 'f');
  await fixture.read('cy', 'f', 'uncommitted');
  await fixture.read('ann', 'g', 'uncommitted');
  const counts = await countInProgress(fixture.dataSource, fixture.environmentId);
  expect(Object.fromEntries(counts!)).toEqual({ f: 2 });
});
