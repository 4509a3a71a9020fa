import type { DataSource } from 'typeorm';
import type { Context } from '../../engine/index.js';
import { groupsJson, subjectJson } from '../../users/subject-json.js';

/** Text of properties that is in memory at once, about; a single user may have 1 MiB. */
const MOST_CHARACTERS = 8_388_608;

const CONTEXTS = `
  WITH sized AS (
    SELECT user_id, sum(size) OVER (ORDER BY user_id) - size AS before
    FROM users u CROSS JOIN LATERAL (
      SELECT octet_length(u.properties::text) + CASE WHEN $3::boolean THEN coalesce((
        SELECT sum(octet_length(g.properties::text)) FROM memberships m JOIN groups g ON g.group_id = m.group_id WHERE m.user_id = u.user_id
      ), 0) ELSE 0 END AS size
    ) s WHERE user_id = ANY ($1::uuid[])
  )
  SELECT u.user_id AS "userId", ${subjectJson('u')} AS "user", CASE WHEN $3::boolean THEN ${groupsJson('u.user_id')} END AS groups
  FROM sized JOIN users u ON u.user_id = sized.user_id WHERE sized.before <= $2 ORDER BY u.user_id`;

interface FoundUser {
  userId: string;
  user: Context['user'];
  groups: Context['user'][] | null;
}

/** The time of the database in milliseconds, which is the same for all users of one run (S30). */
export async function loadNow(dataSource: DataSource): Promise<number> {
  const [row] = (await dataSource.query('SELECT floor(extract(epoch FROM now()) * 1000)::float8 AS now')) as { now: number }[];
  return row!.now;
}

/**
 * What expressions see of users where no group is named, by user id, as many at a time as fit into memory; users who are gone
 * are left out. Their groups are read only where they are asked for (S33).
 */
export async function* loadContexts(
  dataSource: DataSource,
  userIds: readonly string[],
  { now, groups: inGroups }: { readonly now: number; readonly groups: boolean },
): AsyncGenerator<ReadonlyMap<string, Context>> {
  let waiting = [...userIds].sort();
  while (waiting.length > 0) {
    const rows = (await dataSource.query(CONTEXTS, [waiting, MOST_CHARACTERS, inGroups])) as FoundUser[];
    const last = rows.at(-1)?.userId;
    if (last === undefined) return;
    yield new Map(rows.map(({ userId, user, groups }) => [userId, { now, user, group: null, groups: groups ?? [] }]));
    waiting = waiting.filter((id) => id > last);
  }
}

const CONTEXT = `
  SELECT ${subjectJson('u')} AS "user", (SELECT ${subjectJson('g')} FROM groups g WHERE g.group_id = $2) AS "group",
    ${groupsJson('u.user_id')} AS groups FROM users u WHERE u.user_id = $1`;

/** What expressions see of one user, in that group; null for a user who was never identified (B3). */
export async function loadContext(
  dataSource: DataSource,
  userId: string,
  group: { readonly identifier: string; readonly groupId: string } | null,
  now: number,
): Promise<Context | null> {
  const [row] = (await dataSource.query(CONTEXT, [userId, group?.groupId ?? null])) as (Pick<Context, 'user' | 'group'> &
    Pick<FoundUser, 'groups'>)[];
  if (!row) return null;
  // A group that nobody identified is known by its identifier alone (B3).
  const unknown = group && { identifier: group.identifier, properties: {}, createdAt: null, updatedAt: null };
  return { now, user: row.user, group: row.group ?? unknown, groups: row.groups ?? [] };
}
