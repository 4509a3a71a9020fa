/** The most starts that a limit may name, so that older ones need not be kept. */
export const MOST_STARTS = 100;

/**
 * What a group allows (Q1), durations in milliseconds; a rule that is left out allows everything.
 */
export interface AttentionRules {
  /** Flows in progress at the same time. */
  readonly atOnce?: number;
  /** Starts of any cause within a span. */
  readonly limit?: { readonly starts: number; readonly per: number };
  /** After one ended, before the next starts by itself. */
  readonly pause?: number;
  /** A flow that was not touched for so long holds its place no longer. */
  readonly idle?: number;
}

export type AttentionRule = 'at-once' | 'limit' | 'pause';

/** What happened to one user in one group, as far as rules look at it; times in milliseconds. */
export interface AttentionHistory {
  /**
   * Of each flow in progress, but for the one that wants to start: when its state was last written.
   */
  readonly touched: readonly number[];
  readonly starts: readonly number[];
  /** When a flow of the group last ended; null for never. */
  readonly ended: number | null;
}

/** Why a flow does not start by itself yet. */
interface Wait {
  readonly rule: AttentionRule;
  /**
   * When the rule lets the flow start if nothing else happens; left out where time alone does not
   * help.
   */
  readonly until?: number;
}

/**
 * Whether a flow may start by itself now: null for yes, otherwise the rule that is released last
 * (Q3). A rule without a time counts as last; of rules with the same time the first of at-once,
 * limit and pause is named.
 */
export function findWait(
  rules: AttentionRules,
  history: AttentionHistory,
  now: number,
): Wait | null {
  const releases = [
    ['at-once', releaseOfPlaces(rules, history)],
    ['limit', releaseOfLimit(rules, history)],
    ['pause', releaseOfPause(rules, history)],
  ] as const;
  const [rule, until] = releases.reduce((last, one) => (one[1] > last[1] ? one : last));
  if (until <= now) return null;
  return until === Infinity ? { rule } : { rule, until };
}

/**
 * When fewer than `atOnce` flows hold a place, if none is touched: the places are released from the
 * longest idle on.
 */
function releaseOfPlaces(
  { atOnce = Infinity, idle = Infinity }: AttentionRules,
  { touched }: AttentionHistory,
): number {
  if (touched.length < atOnce) return -Infinity;
  const oldestFirst = [...touched].sort((a, b) => a - b);
  return oldestFirst[touched.length - atOnce]! + idle;
}

/**
 * When the span holds fewer than `starts` starts: once the earliest of the last so many has left
 * it.
 */
function releaseOfLimit({ limit }: AttentionRules, { starts }: AttentionHistory): number {
  if (!limit || starts.length < limit.starts) return -Infinity;
  const latestFirst = [...starts].sort((a, b) => b - a);
  return latestFirst[limit.starts - 1]! + limit.per;
}

const releaseOfPause = ({ pause }: AttentionRules, { ended }: AttentionHistory): number =>
  pause === undefined || ended === null ? -Infinity : ended + pause;
