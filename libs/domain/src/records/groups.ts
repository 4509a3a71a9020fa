import type { DataSource } from 'typeorm';
import { DomainError } from '../database/errors/index.js';
import { readPages, type UserIdRange } from '../analysis/index.js';
import { groupId } from '../users/subject-id.js';

interface ListedGroup {
  identifier: string;
  createdAt: Date;
  updatedAt: Date;
}

/** A group with what conditions see of it. */
export interface GroupView extends ListedGroup {
  /** The raw text of a JSON object: numbers beyond 2^53 are as they were sent (U2). */
  properties: string;
}

/** A user who belongs to the group. */
export interface Member {
  identifier: string;
  since: Date;
}

/** Members of a page; pages are small if there are none. */
const PAGE = 5_000;

const MEMBERS = `
  SELECT u.identifier, m.created_at AS since FROM memberships m JOIN users u ON u.user_id = m.user_id
  WHERE m.user_id BETWEEN $2 AND $3 AND u.user_id BETWEEN $2 AND $3 AND m.group_id = $1 ORDER BY m.user_id`;

/**
 * Groups of an environment by identifier, at most `limit`, those behind `after` when it is given.
 */
export async function listGroups(
  dataSource: DataSource,
  environmentId: string,
  { limit, after }: { limit: number; after?: string },
): Promise<ListedGroup[]> {
  return dataSource.query(
    `SELECT identifier, created_at AS "createdAt", updated_at AS "updatedAt" FROM groups
      WHERE environment_id = $1 AND ($2::text IS NULL OR identifier COLLATE "C" > $2) ORDER BY identifier COLLATE "C" LIMIT $3`,
    [environmentId, after ?? null, limit],
  );
}

/** Throws `group.unknown` for a group that was never identified there. */
export async function loadGroup(
  dataSource: DataSource,
  environmentId: string,
  identifier: string,
): Promise<GroupView> {
  const [group] = (await dataSource.query(
    `SELECT identifier, properties::text AS properties, created_at AS "createdAt", updated_at AS "updatedAt" FROM groups
      WHERE group_id = $1`,
    [groupId(environmentId, identifier)],
  )) as GroupView[];
  if (!group) throw unknownGroup(identifier);
  return group;
}

/**
 * Who belongs to a group, page by page in the order of their ids (ADR 18): memberships are kept by
 * user.
 */
export async function* loadMembers(
  dataSource: DataSource,
  environmentId: string,
  identifier: string,
  { onProgress }: { readonly onProgress?: (done: number) => void } = {},
): AsyncGenerator<readonly Member[]> {
  const id = groupId(environmentId, identifier);
  const load = ({ from, to }: UserIdRange): Promise<Member[]> =>
    dataSource.query(MEMBERS, [id, from, to]);
  for await (const { rows, done } of readPages(load, { wanted: PAGE })) {
    if (rows.length > 0) yield rows;
    onProgress?.(done);
  }
}

export const unknownGroup = (identifier: string): DomainError =>
  new DomainError(
    'group.unknown',
    `group ${JSON.stringify(identifier)} was never identified in this environment`,
  );
