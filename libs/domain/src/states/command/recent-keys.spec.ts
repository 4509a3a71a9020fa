import { expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import { isKnownKey, rememberKey } from './recent-keys.js';

test('a key is known exactly while it is among the last 32 accepted commands, with a key or without (B11)', () => {
  const commands = fc.array(
    fc.option(fc.constantFrom<string>('a', 'b', 'c', 'd'), { nil: undefined }),
    { maxLength: 100 },
  );
  fc.assert(
    fc.property(commands, (keys) => {
      const remembered = keys.reduce<readonly string[]>(rememberKey, []);
      for (const key of ['a', 'b', 'c', 'd'])
        expect(isKnownKey(remembered, key)).toBe(keys.slice(-32).includes(key));
      expect(isKnownKey(remembered, undefined)).toBe(false);
    }),
  );
});

test('clients without keys cost a state nothing (B11)', () => {
  expect(
    Array.from({ length: 50 }, () => undefined).reduce<readonly string[]>(rememberKey, []),
  ).toEqual([]);
});
