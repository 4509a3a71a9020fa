import type { EntityManager } from 'typeorm';
import type { AuditEntry } from './audit-entry.js';

export interface ListedEntry extends Omit<AuditEntry, 'id' | 'environmentId'> {
  /** Its name; null for what concerns all environments. */
  readonly environment: string | null;
}

export interface AuditFilter {
  readonly since?: Date;
  readonly by?: string;
  /** An action, such as `flow.commit`, or the first word of several, such as `flow`. */
  readonly what?: string;
  readonly userId?: string;
  /** The newest, when there are more; 1,000 when left out. */
  readonly limit?: number;
}

/** What operators did, the newest first (I7). */
export async function listAudit(manager: EntityManager, filter: AuditFilter = {}): Promise<ListedEntry[]> {
  const { since = null, by = null, what = null, userId = null, limit = 1_000 } = filter;
  return (await manager.query(
    `SELECT a.at, a.by, a.action, a.subject, a.user_id AS "userId", e.name AS environment, a.reason, a.result
     FROM audit_log a LEFT JOIN environments e ON e.id = a.environment_id
     WHERE ($1::timestamptz IS NULL OR a.at >= $1) AND ($2::text IS NULL OR a.by = $2)
       AND ($3::text IS NULL OR a.action = $3 OR split_part(a.action, '.', 1) = $3) AND ($4::uuid IS NULL OR a.user_id = $4)
     ORDER BY a.at DESC, a.id LIMIT $5`,
    [since, by, what, userId, limit],
  )) as ListedEntry[];
}
