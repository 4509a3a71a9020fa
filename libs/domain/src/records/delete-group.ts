import type { DataSource } from 'typeorm';
import { type Author, recordWork } from '../database/audit/index.js';
import { readPages, type UserIdRange } from '../analysis/index.js';
import { groupId } from '../users/subject-id.js';
import { unknownGroup } from './groups.js';

interface DeletedGroup {
  identifier: string;
  memberships: number;
}

interface DeleteOptions {
  /**
   * Called after every range of users: memberships deleted so far, and how much of all users is
   * behind, from 0 to 1.
   */
  readonly onProgress?: (memberships: number, done: number) => void;
  readonly signal?: AbortSignal;
}

/** Memberships that one statement should delete, so that no lock is held for long. */
const PAGE = 1_000;

const DELETE_MEMBERSHIPS = `
  WITH gone AS (DELETE FROM memberships WHERE user_id BETWEEN $2 AND $3 AND group_id = $1 RETURNING 1)
  SELECT 1 AS one FROM gone`;

/**
 * Deletes a group with its properties, and that users belong to it; the users stay. Range after
 * range of users (ADR 18), the group last, so that the same call finishes a deletion that was
 * interrupted. Identifying a user with the group creates it again during the deletion. Throws
 * `group.unknown`, and the signal's reason.
 */
export async function deleteGroup(
  dataSource: DataSource,
  environmentId: string,
  identifier: string,
  { onProgress, signal }: DeleteOptions,
  author: Author,
): Promise<DeletedGroup> {
  const id = groupId(environmentId, identifier);
  return recordWork(
    dataSource,
    { action: 'group.delete', environmentId, subject: `group ${id}` },
    author,
    async (notes) => {
      if (!(await isThere(dataSource, id))) throw unknownGroup(identifier);
      let memberships = 0;
      const load = ({ from, to }: UserIdRange) =>
        dataSource.query<unknown[]>(DELETE_MEMBERSHIPS, [id, from, to]);
      for await (const { rows, done } of readPages(load, { wanted: PAGE, signal })) {
        memberships += rows.length;
        notes.result = { memberships };
        onProgress?.(memberships, done);
      }
      await dataSource.query('DELETE FROM groups WHERE group_id = $1', [id]);
      return { identifier, memberships };
    },
  );
}

async function isThere(dataSource: DataSource, id: string): Promise<boolean> {
  return (
    ((await dataSource.query('SELECT FROM groups WHERE group_id = $1', [id])) as unknown[]).length >
    0
  );
}
