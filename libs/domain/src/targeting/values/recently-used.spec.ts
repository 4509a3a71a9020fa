import { expect, test } from '@jest/globals';
import { RecentlyUsed } from './recently-used.js';

test('the longest unused goes first when the weights no longer fit', () => {
  const kept = new RecentlyUsed<string>(10);
  kept.set('a', 'A', 4);
  kept.set('b', 'B', 4);
  kept.find('a');
  kept.set('c', 'C', 4);
  expect(['a', 'b', 'c'].map((key) => kept.find(key))).toEqual(['A', undefined, 'C']);
});

test('an entry heavier than everything stays, alone; a key set anew counts once', () => {
  const kept = new RecentlyUsed<string>(10);
  kept.set('a', 'A', 4);
  kept.set('big', 'B', 50);
  expect([kept.find('a'), kept.find('big')]).toEqual([undefined, 'B']);
  for (let round = 0; round < 5; round++) kept.set('a', 'A', 6);
  kept.set('b', 'B', 4);
  expect([kept.find('a'), kept.find('b'), kept.find('big')]).toEqual(['A', 'B', undefined]);
});
