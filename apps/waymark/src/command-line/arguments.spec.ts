import { describe, expect, test } from '@jest/globals';
import { parseLifetime } from './arguments.js';

describe('the lifetime of a key', () => {
  test.each([
    ['90d', 7_776_000_000],
    ['12h', 43_200_000],
    ['30m', 1_800_000],
    ['1s', 1_000],
  ])('%s is %d milliseconds', (text, ms) => {
    expect(parseLifetime(text)).toBe(ms);
  });

  test.each(['', '90', 'd', '0d', '-1d', '1.5h', '1y', '99999d'])('%j is refused', (text) => {
    expect(() => parseLifetime(text)).toThrow('such as 90d');
  });
});
