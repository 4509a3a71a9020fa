import { expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import { MOST_WATCHES, parseWatchesText, watchesText } from './watched-version.js';

const watch = fc.record({
  flow: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/),
  version: fc.nat(),
});

test('watches come back from their text as they were (L7)', () => {
  fc.assert(
    fc.property(fc.array(watch, { minLength: 1, maxLength: MOST_WATCHES }), (watches) => {
      expect(parseWatchesText(watchesText(watches))).toEqual(watches);
    }),
  );
});

test('the most watches there can be fit into a handshake (L7)', () => {
  const text = watchesText(
    Array.from({ length: MOST_WATCHES }, () => ({ flow: 'x'.repeat(128), version: 999_999_999 })),
  );
  expect(text.length).toBeLessThan(16 * 1024);
});

test('any other text is no watches, and too many are none (L7)', () => {
  fc.assert(
    fc.property(fc.anything(), (text) => {
      expect(parseWatchesText(text)).toBeInstanceOf(Array);
    }),
  );
  for (const text of [
    '',
    'ready',
    'a@-1',
    'a@01',
    'a b@1',
    'a@1  b@2',
    'a@1.5',
    '@1',
    'a@',
    ' a@1',
    `${'x'.repeat(129)}@1`,
  ])
    expect(parseWatchesText(text)).toEqual([]);
  expect(parseWatchesText(Array.from({ length: MOST_WATCHES + 1 }, () => 'a@1').join(' '))).toEqual(
    [],
  );
});
