import { expect, test } from '@jest/globals';
import { count, wordsOf } from './words.js';

test.each([
  ['de', '2 von 5'],
  ['pt-BR', '2 de 5'],
  ['JA-jp', '2 / 5'],
  ['constructor', '2 of 5'],
  [undefined, '2 of 5'],
])('the words of %s say %s (N2)', (language, text) => {
  expect(count(wordsOf(language).step, 2, 5)).toBe(text);
});

test('every language has every word, and own ones come first (N2)', () => {
  for (const language of ['en', 'de', 'fr', 'es', 'pt', 'ja'])
    expect(Object.values(wordsOf(language)).filter(Boolean)).toHaveLength(10);
  expect(wordsOf('fr', { close: 'Non merci' })).toMatchObject({
    close: 'Non merci',
    tour: 'Visite guidée',
  });
});
