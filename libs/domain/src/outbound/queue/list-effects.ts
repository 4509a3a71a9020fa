import type { DataSource, EntityManager } from 'typeorm';
import { type Author, recordChange } from '../../database/audit/index.js';
import { DomainError } from '../../database/errors/index.js';
import type { EffectRow } from './effect-row.js';
import type { Database } from '../../database/database.js';
import { defineStatement } from '../../database/statement.js';
import type { Effect } from '../../engine/index.js';

type Shown = Pick<
  EffectRow,
  'id' | 'flow' | 'version' | 'effect' | 'attempts' | 'createdAt' | 'failedAt' | 'lastError'
>;

export interface ListedEffect extends Shown {
  readonly user: string;
  /** Null once it has failed for good. */
  readonly nextAttemptAt: Date | null;
}

/**
 * What waits or has failed in an environment, or only what waits, oldest first, at most `limit`:
 * after an outage it may be a million.
 */
export async function listEffects(
  manager: EntityManager,
  environmentId: string,
  { limit = 1000, waitingOnly = false }: { limit?: number; waitingOnly?: boolean } = {},
): Promise<ListedEffect[]> {
  return (await manager.query(
    `SELECT e.id, u.identifier AS "user", e.flow, e.version, e.effect, e.attempts, e.created_at AS "createdAt",
            CASE WHEN e.failed_at IS NULL THEN e.next_attempt_at END AS "nextAttemptAt", e.failed_at AS "failedAt",
            e.last_error AS "lastError"
     FROM effects e JOIN users u ON u.user_id = e.user_id WHERE u.environment_id = $1
       AND (e.failed_at IS NULL OR NOT $3::boolean)
     ORDER BY e.created_at, e.flow, e.revision, e.position LIMIT $2`,
    [environmentId, limit, waitingOnly],
  )) as ListedEffect[];
}

/**
 * Makes it be tried again at once, with another 24 hours before it fails (S19). Throws
 * `effect.unknown`.
 */
export function retryEffect(
  dataSource: DataSource,
  environmentId: string,
  id: string,
  author: Author,
): Promise<void> {
  return recordChange(
    dataSource,
    { action: 'effect.retry', environmentId },
    author,
    async (manager, notes) => {
      const [[retried]] = (await manager.query(
        `UPDATE effects e SET attempts = 0, next_attempt_at = now(), failed_at = NULL, last_error = NULL
       FROM users u WHERE u.user_id = e.user_id AND u.environment_id = $1 AND e.id::text = $2
       RETURNING e.flow, e.version`,
        [environmentId, id],
      )) as [{ flow: string; version: number }[], number];
      if (!retried)
        throw new DomainError(
          'effect.unknown',
          `there is no effect ${JSON.stringify(id)} that waits or has failed`,
        );
      notes.subject = `effect ${id} of ${retried.flow} version ${retried.version}`;
    },
  );
}

/** Webhooks or flow triggers of an environment that are not carried out yet. */
export interface WaitingEffects {
  /** Its name. */
  readonly environment: string;
  readonly kind: Effect['kind'];
  /** Those that failed for good do not wait. */
  readonly waiting: number;
  readonly oldestSeconds: number;
}

/** More are not counted: what is wrong is known by then, and counting must not take long. */
const MOST = 100_000;

const LOAD_WAITING = defineStatement(
  'load_waiting_effects',
  `WITH waiting AS MATERIALIZED (
     SELECT environment_id, kind, count(*)::int AS waiting, min(created_at) AS oldest FROM (
       SELECT u.environment_id, e.effect->>'kind' AS kind, e.created_at
       FROM effects e JOIN users u ON u.user_id = e.user_id WHERE e.failed_at IS NULL LIMIT ${MOST}
     ) counted GROUP BY 1, 2
   )
   SELECT n.name AS environment, k.kind, coalesce(w.waiting, 0) AS waiting,
     coalesce(extract(epoch FROM now() - w.oldest), 0)::float8 AS "oldestSeconds"
   FROM environments n CROSS JOIN (VALUES ('webhook'), ('flow-trigger')) k (kind)
     LEFT JOIN waiting w ON w.environment_id = n.id AND w.kind = k.kind`,
);

/** Of every environment and kind, with zero where nothing waits; counted up to 100,000 in all. */
export const loadWaitingEffects = (database: Database): Promise<WaitingEffects[]> =>
  database.run(LOAD_WAITING, []);
