import { expect, test } from '@jest/globals';
import { TokenBucket } from './token-bucket.js';

test('a bucket gives two seconds worth at once, then so many a second, and never saves up more', () => {
  let now = 0;
  const bucket = new TokenBucket(10, () => now);
  const taken = (times: number) => Array.from({ length: times }, () => bucket.take()).filter(Boolean).length;
  expect(taken(100)).toBe(20);
  now = 100;
  expect(taken(100)).toBe(1);
  now = 1_100;
  expect(taken(100)).toBe(10);
  now = 1_000_000;
  expect(taken(100)).toBe(20);
});
