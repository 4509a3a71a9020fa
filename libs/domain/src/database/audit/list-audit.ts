import { type EntityManager, type DataSource, LessThan } from 'typeorm';
import { AuditEntry, type Author } from './audit-entry.js';
import { recordChange } from './record.js';

export interface ListedEntry extends Omit<AuditEntry, 'id' | 'environmentId'> {
  /** Its name; null for what concerns all environments. */
  readonly environment: string | null;
}

export interface AuditFilter {
  readonly since?: Date;
  /** Up to that moment, without it. */
  readonly until?: Date;
  readonly by?: string;
  /** An action, such as `flow.commit`, or the first word of several, such as `flow`. */
  readonly what?: string;
  readonly userId?: string;
  /** The newest, when there are more; 1,000 when left out. */
  readonly limit?: number;
}

/** What operators did, the newest first (I7). */
export async function listAudit(
  manager: EntityManager,
  filter: AuditFilter = {},
): Promise<ListedEntry[]> {
  const { since = null, until = null, by = null, what = null, userId = null } = filter;
  return (await manager.query(
    `SELECT a.at, a.by, a.action, a.subject, a.user_id AS "userId", e.name AS environment, a.reason, a.result
     FROM audit_log a LEFT JOIN environments e ON e.id = a.environment_id
     WHERE ($1::timestamptz IS NULL OR a.at >= $1) AND ($2::text IS NULL OR a.by = $2)
       AND ($3::text IS NULL OR a.action = $3 OR split_part(a.action, '.', 1) = $3) AND ($4::uuid IS NULL OR a.user_id = $4)
       AND ($6::timestamptz IS NULL OR a.at < $6)
     ORDER BY a.at DESC, a.id LIMIT $5`,
    [since, by, what, userId, filter.limit ?? 1_000, until],
  )) as ListedEntry[];
}

/** Deletes what is older, and leaves a row that says so (I7). Answers how many rows went. */
export function pruneAudit(dataSource: DataSource, before: Date, author: Author): Promise<number> {
  const act = { action: 'audit.prune', subject: `before ${before.toISOString()}` };
  return recordChange(dataSource, act, author, async (manager, notes) => {
    const { affected } = await manager.delete(AuditEntry, { at: LessThan(before) });
    const deleted = affected ?? 0;
    notes.result = { deleted };
    return deleted;
  });
}
