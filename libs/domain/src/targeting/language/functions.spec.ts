import { describe, expect, test } from '@jest/globals';
import { fc } from '@waymark/testing/properties';
import { holdsText } from './functions.js';

describe('the search for a text in another', () => {
  test('finds what JavaScript finds (S30)', () => {
    const letters = (maxLength: number) =>
      fc.string({ unit: fc.constantFrom('a', 'a', 'a', 'b', '😀'), maxLength, size: 'max' });
    const part = fc
      .tuple(fc.constantFrom('a', 'ab', 'aab'), letters(40))
      .map(([unit, end]) => unit.repeat(40) + end);
    fc.assert(
      fc.property(letters(40), part, letters(40), fc.boolean(), (before, part, after, isThere) => {
        const text = before + (isThere ? part : part.slice(0, -1)) + after + part.slice(1) + before;
        expect(holdsText(text, part)).toBe(text.includes(part));
      }),
      { numRuns: 1_000 },
    );
  });

  test('ends for hostile texts (S30)', () => {
    const many = 'a'.repeat(125_000);
    expect(holdsText('a'.repeat(500_000), `${many}b${many}`)).toBe(false);
  });
});
