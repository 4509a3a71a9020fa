import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { card, defineFlow } from '@waymark/testing/builders';
import { Fixture } from '@waymark/testing/fixture';
import { EMPTY_STATE } from '../../engine/index.js';
import { loadState, loadVersionOfUser } from './load-state.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
  await fixture.commit(defineFlow({ flow: 'f', blocks: { a: card() } }));
  await fixture.identify('ann');
});
afterAll(() => fixture.close());

test('a user without a state has no version and the empty state; with states, the highest version', async () => {
  const find = async (user: string) => {
    const version = await loadVersionOfUser(
      fixture.dataSource.manager,
      fixture.environmentId,
      user,
      'f',
    );
    return [
      version,
      await loadState(fixture.dataSource.manager, fixture.environmentId, user, 'f', version ?? 1),
    ];
  };
  expect(await find('ann')).toEqual([null, EMPTY_STATE]);
  await fixture.read('ann', 'f', 'uncommitted');
  expect(await find('ann')).toEqual([0, expect.objectContaining({ started: true })]);
  await fixture.read('ann', 'f', 1);
  expect(await find('ann')).toEqual([1, expect.objectContaining({ started: true })]);
  await expect(find('stranger')).rejects.toMatchObject({ code: 'user.unknown' });
});
