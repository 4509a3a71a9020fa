// oxlint-disable-next-line typescript/triple-slash-reference -- programs that use this file need the types too
/// <reference path="./jstat.d.ts" />
import jstat from 'jstat';

/** A share of people, with the 95 % interval of Wilson; nulls where there are none. */
export interface ShareEstimate {
  readonly people: number;
  readonly share: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** How much higher a share is than that of the first way, with the 95 % interval of Newcombe. */
export interface ShareDifference {
  readonly share: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** `open` while the interval has 0 in it, `too-few` under 100 people on either way (K3). */
  readonly verdict: 'higher' | 'lower' | 'open' | 'too-few';
}

/** A winner is not named with fewer people on a way. */
const FEWEST_PEOPLE = 100;
/** Less likely by chance than this, shares that came are suspicious. */
const SUSPICIOUS = 0.001;
const Z = jstat.normal.inv(0.975, 0, 1);

/** The score interval of Wilson (1927), without a correction for continuity. */
export function estimateShare(people: number, all: number): ShareEstimate {
  if (all === 0) return { people, share: null, low: null, high: null };
  const share = people / all;
  const spread = Z ** 2 / all;
  const middle = share + spread / 2;
  const reach = Z * Math.sqrt((share * (1 - share)) / all + spread / (4 * all));
  return {
    people,
    share,
    // At the ends the interval has the share itself in it, which rounding would leave out.
    low: people === 0 ? 0 : (middle - reach) / (1 + spread),
    high: people === all ? 1 : (middle + reach) / (1 + spread),
  };
}

/** The hybrid score interval of Newcombe (1998, method 10), without a correction for continuity. */
export function compareShares(
  [people, all]: readonly [number, number],
  [firstPeople, firstAll]: readonly [number, number],
): ShareDifference {
  const own = estimateShare(people, all);
  const first = estimateShare(firstPeople, firstAll);
  if (own.share === null || first.share === null)
    return { share: null, low: null, high: null, verdict: 'too-few' };
  const share = own.share - first.share;
  const low = share - Math.hypot(own.share - own.low!, first.high! - first.share);
  const high = share + Math.hypot(own.high! - own.share, first.share - first.low!);
  const isFew = Math.min(all, firstAll) < FEWEST_PEOPLE;
  const verdict = isFew ? 'too-few' : low > 0 ? 'higher' : high < 0 ? 'lower' : 'open';
  return { share, low, high, verdict };
}

/**
 * Pearson's chi-squared test of people by way against the shares that were set; at least two of
 * these are above 0.
 */
export function testShares(
  counts: readonly { readonly people: number; readonly share: number }[],
): { p: number; isSuspicious: boolean } {
  const set = counts.filter(({ share }) => share > 0);
  const people = set.reduce((sum, one) => sum + one.people, 0);
  const shares = set.reduce((sum, one) => sum + one.share, 0);
  const distance = set.reduce((sum, one) => {
    const expected = (people * one.share) / shares;
    return sum + (one.people - expected) ** 2 / expected;
  }, 0);
  const p = 1 - jstat.chisquare.cdf(distance, set.length - 1);
  return { p, isSuspicious: p < SUSPICIOUS };
}
