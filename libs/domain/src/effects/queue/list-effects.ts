import type { DataSource, EntityManager } from 'typeorm';
import { type Author, recordChange } from '../../audit/index.js';
import { DomainError } from '../../errors/index.js';
import type { EffectRow } from './effect-row.js';

type Shown = Pick<EffectRow, 'id' | 'flow' | 'version' | 'effect' | 'attempts' | 'createdAt' | 'failedAt' | 'lastError'>;

export interface ListedEffect extends Shown {
  readonly user: string;
  /** Null once it has failed for good. */
  readonly nextAttemptAt: Date | null;
}

/** What waits or has failed in an environment, oldest first, at most `limit`: after an outage it may be a million. */
export async function listEffects(
  manager: EntityManager,
  environmentId: string,
  { limit = 1000 }: { limit?: number } = {},
): Promise<ListedEffect[]> {
  return (await manager.query(
    `SELECT e.id, u.identifier AS "user", e.flow, e.version, e.effect, e.attempts, e.created_at AS "createdAt",
            CASE WHEN e.failed_at IS NULL THEN e.next_attempt_at END AS "nextAttemptAt", e.failed_at AS "failedAt",
            e.last_error AS "lastError"
     FROM effects e JOIN users u ON u.user_id = e.user_id WHERE u.environment_id = $1
     ORDER BY e.created_at, e.flow, e.revision, e.position LIMIT $2`,
    [environmentId, limit],
  )) as ListedEffect[];
}

/** Makes it be tried again at once, with another 24 hours before it fails (S19). Throws `effect.unknown`. */
export function retryEffect(dataSource: DataSource, environmentId: string, id: string, author: Author): Promise<void> {
  return recordChange(dataSource, { action: 'effect.retry', environmentId }, author, async (manager, notes) => {
    const [[retried]] = (await manager.query(
      `UPDATE effects e SET attempts = 0, next_attempt_at = now(), failed_at = NULL, last_error = NULL
       FROM users u WHERE u.user_id = e.user_id AND u.environment_id = $1 AND e.id::text = $2
       RETURNING e.flow, e.version`,
      [environmentId, id],
    )) as [{ flow: string; version: number }[], number];
    if (!retried) throw new DomainError('effect.unknown', `there is no effect ${JSON.stringify(id)} that waits or has failed`);
    notes.subject = `effect ${id} of ${retried.flow} version ${retried.version}`;
  });
}
