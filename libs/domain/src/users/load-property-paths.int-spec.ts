import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Fixture } from '@waymark/testing/fixture';
import { loadPropertyPaths } from './load-property-paths.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await Fixture.open();
});
afterAll(() => fixture.close());

test('names within objects are known by the names that lead to them, to a depth that somebody still reads (T9)', async () => {
  expect(await loadPropertyPaths(fixture.dataSource.manager)).toEqual({ user: [], group: [] });
  await fixture.identifyGroup('acme', { billing: { plan: 'gold' } });
  await fixture.identifyAll(['ann', 'bob'], (index) => ({
    address: index === 0 ? { city: 'Bern', at: { x: { y: { z: 1 } } } } : 'nowhere',
    tags: [{ name: 'no path leads here' }],
    'a.b': null,
  }));
  expect(await loadPropertyPaths(fixture.dataSource.manager)).toEqual({
    user: [
      ['a.b'],
      ['address'],
      ['tags'],
      ['address', 'at'],
      ['address', 'city'],
      ['address', 'at', 'x'],
      ['address', 'at', 'x', 'y'],
    ],
    group: [['billing'], ['billing', 'plan']],
  });
});

test('of many users a thousand are looked at, and no more names are told than somebody can use (T9)', async () => {
  const names = Array.from({ length: 3_000 }, (_, index) => `user ${index}`);
  await fixture.identifyAll(names, (index) => ({ [`made-${index}`]: { x: 1 } }));
  const { user } = await loadPropertyPaths(fixture.dataSource.manager);
  expect(user.length).toBe(2_000);
});
