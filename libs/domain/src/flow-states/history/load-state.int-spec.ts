import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { Stage } from '@waymark/testing/stage';
import { EMPTY_STATE } from '../../engine/index.js';
import { loadState, loadVersionOfUser } from './load-state.js';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
  await stage.commit(defineFlow({ flow: 'f', blocks: { a: card() } }));
  await stage.identify('ann');
});
afterAll(() => stage.close());

test('a user without a state has no version and the empty state; with states, the highest version', async () => {
  const find = async (user: string) => {
    const version = await loadVersionOfUser(stage.dataSource.manager, stage.environmentId, user, 'f');
    return [version, await loadState(stage.dataSource.manager, stage.environmentId, user, 'f', version ?? 1)];
  };
  expect(await find('ann')).toEqual([null, EMPTY_STATE]);
  await stage.read('ann', 'f', 'uncommitted');
  expect(await find('ann')).toEqual([0, expect.objectContaining({ started: true })]);
  await stage.read('ann', 'f', 1);
  expect(await find('ann')).toEqual([1, expect.objectContaining({ started: true })]);
  await expect(find('stranger')).rejects.toMatchObject({ code: 'user.unknown' });
});
