import { expect, test } from '@jest/globals';
import { AnswerTally } from './answer-tally.js';

test('counts keys, and tells mean and spread of numbers and the most frequent texts (Z3)', () => {
  const tally = new AnswerTally();
  for (const score of [2, 4, 4, 4, 5, 5, 7, 9]) tally.add('nps', { score });
  tally.add('nps', { score: 'none', ['__proto__']: true, deep: { er: 1 } });
  for (const why of ['quick', ['quick', 'cheap', 'quick'], ['cheap', 3], 'cheap'])
    tally.add('nps', { why });
  tally.add('other', { score: 1 });
  expect(tally.of('nps')).toEqual([
    {
      key: 'score',
      count: 9,
      numbers: { count: 8, mean: 5, spread: 2, min: 2, max: 9 },
      texts: [{ text: 'none', count: 1 }],
      otherTexts: 0,
    },
    {
      key: 'why',
      count: 4,
      numbers: { count: 1, mean: 3, spread: 0, min: 3, max: 3 },
      texts: [
        { text: 'cheap', count: 3 },
        { text: 'quick', count: 2 },
      ],
      otherTexts: 0,
    },
    { key: '__proto__', count: 1, texts: [{ text: 'true', count: 1 }], otherTexts: 0 },
    { key: 'deep', count: 1 },
  ]);
  expect(tally.of('nothing')).toEqual([]);
});

test('is bounded, whatever pages send (Z3)', () => {
  const tally = new AnswerTally();
  for (let index = 0; index < 51_000; index++)
    tally.add('a', { text: `${index} ${'🙂'.repeat(300)}` });
  for (let index = 0; index < 2_000; index++) tally.add('b', { [`key ${index}`]: 1 });
  const [text] = tally.of('a');
  expect(text).toMatchObject({ count: 51_000, otherTexts: 50_990 });
  expect(text!.texts).toHaveLength(10);
  expect(Array.from(text!.texts![0]!.text)).toHaveLength(200);
  expect(tally.of('b')).toHaveLength(999);
  tally.add('a', { text: `0 ${'🙂'.repeat(300)}` });
  expect(tally.of('a')[0]!.texts![0]!.count).toBe(2);
});

test('numbers whose squares no number holds count as given, and spoil nothing (Z3)', () => {
  const tally = new AnswerTally();
  for (const score of [1e308, 4, -1e308, 6, 1e308]) tally.add('nps', { score });
  expect(tally.of('nps')).toEqual([
    { key: 'score', count: 5, numbers: { count: 2, mean: 5, spread: 1, min: 4, max: 6 } },
  ]);
});
