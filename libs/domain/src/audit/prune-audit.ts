import type { DataSource } from 'typeorm';
import type { Author } from './author.js';
import { recordChange } from './record.js';

/** Deletes what is older, and leaves a row that says so (I7). Answers how many rows went. */
export function pruneAudit(dataSource: DataSource, before: Date, author: Author): Promise<number> {
  const act = { action: 'audit.prune', subject: `before ${before.toISOString()}` };
  return recordChange(dataSource, act, author, async (manager, notes) => {
    const [, deleted] = (await manager.query('DELETE FROM audit_log WHERE at < $1', [before])) as [unknown, number];
    notes.result = { deleted };
    return deleted;
  });
}
