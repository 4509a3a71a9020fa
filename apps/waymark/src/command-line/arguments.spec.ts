import { describe, expect, test } from '@jest/globals';
import { parseLifetime, parseMoment } from './arguments.js';

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

describe('a time', () => {
  test.each([
    ['2026-05-01', '2026-05-01T00:00:00.000Z'],
    ['2026-05-01T12:30', '2026-05-01T12:30:00.000Z'],
    ['2026-05-01 12:30:15.5+02:00', '2026-05-01T10:30:15.500Z'],
  ])('%s is %s', (text, iso) => {
    expect(parseMoment(text).toISOString()).toBe(iso);
  });

  test('30d is 30 days ago', () => {
    const before = Date.now();
    expect(parseMoment('30d').getTime() - (before - 30 * 86_400_000)).toBeLessThan(60_000);
  });

  test.each(['', 'yesterday', '2026', '2026-02-30', '2026-13-01', '2026-05-01T25:00', '1_000'])(
    '%j is refused',
    (text) => {
      expect(() => parseMoment(text)).toThrow('such as 2026-03-01');
    },
  );
});
