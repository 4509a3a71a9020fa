import type { Database } from '../../database/database.js';
import { defineStatement } from '../../database/statement.js';
import type { Effect } from '../../engine/index.js';

/** Webhooks or flow triggers that are not carried out yet. */
export interface WaitingEffects {
  readonly kind: Effect['kind'];
  /** Those that failed for good do not wait. */
  readonly waiting: number;
  readonly oldestSeconds: number;
}

/** More are not counted: what is wrong is known by then, and counting must not take long. */
const MOST = 100_000;

const LOAD_WAITING = defineStatement(
  'load_waiting_effects',
  `SELECT effect->>'kind' AS kind, count(*)::int AS waiting, extract(epoch FROM now() - min(created_at))::float8 AS "oldestSeconds"
   FROM (SELECT effect, created_at FROM effects WHERE failed_at IS NULL LIMIT ${MOST}) waiting GROUP BY 1`,
);

/** Kinds of which nothing waits are left out. */
export const loadWaitingEffects = (database: Database): Promise<WaitingEffects[]> => database.run(LOAD_WAITING, []);
