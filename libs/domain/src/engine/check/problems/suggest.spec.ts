import { expect, test } from '@jest/globals';
import { didYouMean } from './suggest.js';

const words = ['welcome', 'finish', 'set-up', 'ab'];

test.each([
  ['welcom', 'welcome'],
  ['wellcome', 'welcome'],
  ['wlecome', 'welcome'],
  ['wellcom', 'welcome'],
  ['Welcome', 'welcome'],
  ['finsih', 'finish'],
  ['setup', 'set-up'],
])('%s was probably %s (S4)', (word, meant) => {
  expect(didYouMean(word, words)).toBe(`; did you mean "${meant}"?`);
});

test.each(['goodbye', 'welc', 'x', '', 'ac', 'abcd'])('nothing is like %j (S4)', (word) => {
  expect(didYouMean(word, words)).toBe('');
});

test('the closest word wins, the first of equals (S4)', () => {
  expect(didYouMean('card-2', ['card', 'card-1', 'card-3', 'cards-2'])).toBe(
    '; did you mean "card-1"?',
  );
});

test('words of any length are compared in a time that follows their length (F4)', () => {
  const long = 'ab'.repeat(200_000);
  expect(didYouMean(`b${long}`, [long])).toBe(`; did you mean "${long}"?`);
  expect(didYouMean(`b${long}bb`, [`${long}cc`])).toBe('');
});
