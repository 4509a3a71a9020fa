import { expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import { firstBehind } from './list-users.js';

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');
const isBelow = (one: string, other: string): boolean =>
  Buffer.compare(bytes(one), bytes(other)) < 0;

/**
 * Characters at the edges of what UTF-8 writes with one, two, three and four bytes, beside any
 * others.
 */
const edges = [
  'a',
  '\u007e',
  '\u007f',
  '\u07ff',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '\u{10000}',
  '\u{10ffff}',
];
const texts = fc
  .array(
    fc.oneof(fc.constantFrom(...edges), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
    { maxLength: 4 },
  )
  .map((characters) => characters.join(''));

test('a text is in the range behind a beginning if, and only if, it begins so (T17)', () => {
  fc.assert(
    fc.property(texts, texts, (beginning, text) => {
      const end = firstBehind(beginning);
      const isWithin = !isBelow(text, beginning) && (end === null || isBelow(text, end));
      expect(isWithin).toBe(text.startsWith(beginning));
      expect(end === null || isBelow(beginning + text, end)).toBe(true);
    }),
  );
});

test('the last characters there are have nothing behind them', () => {
  expect(firstBehind('')).toBeNull();
  expect(firstBehind('\u{10ffff}\u{10ffff}')).toBeNull();
  expect(firstBehind('a\u{10ffff}')).toBe('b');
  expect(firstBehind('\ud7ff')).toBe('\ue000');
});
