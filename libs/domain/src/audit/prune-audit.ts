import { type DataSource, LessThan } from 'typeorm';
import { AuditEntry } from './audit-entry.js';
import type { Author } from './author.js';
import { recordChange } from './record.js';

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
