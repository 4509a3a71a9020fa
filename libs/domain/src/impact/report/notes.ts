import type { MigrationStrategy } from '../../engine/index.js';

/** What strategies leave out, for whom the numbers would otherwise look wrong (E13, S28). */
const KEPT_FLAGS: Record<MigrationStrategy, string | null> = {
  'carry-over': null,
  'restart-in-progress':
    'users who had finished or stopped an older version kept that without its blocks: they count above, but not as having reached a block (restart-in-progress)',
  'restart-all':
    'users who were kept out of an older version before they ever started are stopped or finished without blocks (restart-all)',
  'stop-in-progress':
    'users of an older version were stopped, or kept that they had finished, without its blocks: they count above, but not as having reached a block (stop-in-progress)',
};

/** A note for each strategy that kept flags without blocks, once. */
export function noteOf(strategies: readonly MigrationStrategy[]): string[] {
  return [...new Set(strategies)].flatMap((strategy) => KEPT_FLAGS[strategy] ?? []);
}
