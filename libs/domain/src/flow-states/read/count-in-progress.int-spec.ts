import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { Stage } from '@waymark/testing/stage';
import { countInProgress } from './count-in-progress.js';

let stage: Stage;
beforeAll(async () => void (stage = await Stage.open()));
afterAll(() => stage.close());

test('users in progress are counted once in each flow, by the newest version that they met', async () => {
  await stage.commit(defineFlow({ flow: 'f', blocks: { a: card({ complete: 'finish' }) } }));
  await stage.commit(defineFlow({ flow: 'g', blocks: { b: card({ complete: 'finish' }) } }));
  for (const user of ['ann', 'bob', 'cy']) await stage.identify(user);
  for (const user of ['ann', 'bob', 'cy']) await stage.read(user, 'f');
  await stage.take('bob', 'f', 1, 'a', ['complete']);
  await stage.commit(defineFlow({ flow: 'f', blocks: { a: card({ complete: 'finish' }), c: card() } }));
  await stage.read('ann', 'f');
  await stage.read('cy', 'f', 'uncommitted');
  await stage.read('ann', 'g', 'uncommitted');
  const counts = await countInProgress(stage.dataSource, stage.environmentId);
  expect(Object.fromEntries(counts!)).toEqual({ f: 2 });
});
