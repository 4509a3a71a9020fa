import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { compareShares, estimateShare, testShares } from './figures.js';

type Pair = [number, number];
interface DataSet {
  own: Pair;
  first: Pair;
  shares: Pair;
  wilson: [number, number, number];
  newcombe: [number, number, number];
  p: number;
}
const { sets } = JSON.parse(
  readFileSync(new URL('figures-of-scipy.json', import.meta.url), 'utf8'),
) as { sets: DataSet[] };
const DIGITS = 10;

describe.each(sets)('of $own beside $first', ({ own, first, shares, wilson, newcombe, p }) => {
  test('interval, difference and test of the shares are those of SciPy (K3)', () => {
    const one = estimateShare(...own);
    for (const [index, value] of [one.share, one.low, one.high].entries())
      expect(value).toBeCloseTo(wilson[index]!, DIGITS);
    const both = compareShares(own, first);
    for (const [index, value] of [both.share, both.low, both.high].entries())
      expect(value).toBeCloseTo(newcombe[index]!, DIGITS);
    const counts = [
      { people: own[1], share: shares[0] },
      { people: first[1], share: shares[1] },
    ];
    const tested = testShares(counts);
    expect(Math.abs(tested.p / p - 1)).toBeLessThan(1e-9);
    expect(tested.isSuspicious).toBe(p < 0.001);
  });
});

test('there are ten of them (K3)', () => {
  expect(sets).toHaveLength(10);
});

test('no winner is named under 100 people a way, and none while 0 is in the interval (K3)', () => {
  expect(compareShares([99, 99], [0, 1_000]).verdict).toBe('too-few');
  expect(compareShares([90, 1_000], [99, 99]).verdict).toBe('too-few');
  expect(compareShares([100, 100], [0, 100]).verdict).toBe('higher');
  expect(compareShares([0, 100], [100, 100]).verdict).toBe('lower');
  expect(compareShares([50, 100], [51, 100]).verdict).toBe('open');
  expect(compareShares([0, 0], [51, 100])).toMatchObject({ share: null, verdict: 'too-few' });
});

test('ways of the share 0 are left out of the test of shares (K3)', () => {
  const two = [
    { people: 60, share: 1 },
    { people: 40, share: 1 },
  ];
  expect(testShares([...two, { people: 5, share: 0 }])).toEqual(testShares(two));
});
