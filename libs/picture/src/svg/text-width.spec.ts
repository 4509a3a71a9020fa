import { expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import { ellipsize, textWidth, wrapText } from './text-width.js';

test('texts are broken between words, long words within, and what does not fit ends in an ellipsis', () => {
  const width = textWidth('one two', 10);
  expect(wrapText('one two three', [width, width], 10)).toEqual(['one two', 'three']);
  expect(wrapText('one two three four', [width, width], 10)).toEqual(['one two', 'three…']);
  expect(wrapText('extraordinary', [width, width, width], 10).join('')).toBe('extraordinary');
  expect(wrapText('  ', [width], 10)).toEqual([]);
  expect(ellipsize('short', 100, 10)).toBe('short');
});

test('no line is wider than it may be, and no character is cut in two', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'W', 'é', '漢', '👋', ' ', 'i') });
  fc.assert(
    fc.property(text, (words) => {
      const lines = wrapText(words, [80, 60], 10);
      expect(lines.length).toBeLessThanOrEqual(2);
      for (const [index, line] of lines.entries())
        expect(textWidth(line, 10)).toBeLessThanOrEqual([80, 60][index]! + 0.001);
      expect(lines.join('')).not.toMatch(/\p{Surrogate}/u);
    }),
  );
});
