import { test } from '@jest/globals';

/** Whether the run is about distributed tables, on a cluster or on a server that passes for one. */
export const isDistributedRun = (): boolean =>
  Boolean(process.env['CITUS_URL']) || process.env['WAYMARK_TEST_CITUS'] === 'rehearsed';

/**
 * A test of what only tables on one server have. Where the run is about distributed tables it is skipped, and says why in a
 * sentence.
 */
export function onOneServer(why: string): typeof test | typeof test.skip {
  if (!isDistributedRun()) return test;
  process.stderr.write(`skipped where tables are distributed: ${why}\n`);
  return test.skip;
}
