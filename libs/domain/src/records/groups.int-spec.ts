import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Fixture } from '@waymark/testing/fixture';
import { deleteGroup } from './delete-group.js';
import { loadGroup, loadMembers, type Member } from './groups.js';

const NAMES = Array.from({ length: 40 }, (_, index) => `user ${index}`);
let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
  await fixture.identifyAll(NAMES, () => ({}));
  for (const group of ['acme', 'other']) await fixture.identifyGroup(group, { seats: 3 });
  for (const name of NAMES)
    await fixture.join(name, 'other', ...(name === 'user 7' ? [] : ['acme']));
});
afterAll(() => fixture.close());

async function members(group: string): Promise<string[]> {
  const found: Member[] = [];
  for await (const page of loadMembers(fixture.dataSource, fixture.environmentId, group))
    found.push(...page);
  return found.map(({ identifier }) => identifier).sort();
}
const remove = (group: string, options: Parameters<typeof deleteGroup>[3] = {}) =>
  deleteGroup(fixture.dataSource, fixture.environmentId, group, options, { by: 'test' });

test('a group is known by its members', async () => {
  expect(await members('acme')).toEqual(NAMES.filter((name) => name !== 'user 7').sort());
  expect(await loadGroup(fixture.dataSource, fixture.environmentId, 'acme')).toMatchObject({
    properties: '{"seats": 3}',
  });
});

test('a group is deleted with its memberships, also in two goes, and no other is touched', async () => {
  const stop = new AbortController();
  const stopped = remove('acme', { signal: stop.signal, onProgress: () => stop.abort() });
  await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
  await expect(loadGroup(fixture.dataSource, fixture.environmentId, 'acme')).resolves.toMatchObject(
    {
      identifier: 'acme',
    },
  );
  const told: number[] = [];
  const { memberships } = await remove('acme', { onProgress: (_, done) => told.push(done) });
  expect(memberships).toBeLessThanOrEqual(39);
  expect(told.at(-1)).toBe(1);
  expect(await members('acme')).toEqual([]);
  expect(await members('other')).toHaveLength(40);
  await expect(remove('acme')).rejects.toMatchObject({ code: 'group.unknown' });
});
