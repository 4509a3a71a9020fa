import type { DataSource, EntityManager } from 'typeorm';
import type { Context } from '../../engine/index.js';
import { expandCondition, readCondition } from '../../states/reset/read-condition.js';
import { evaluateCondition, type Expression } from '../../targeting/index.js';
import { memberGroups, memberGroupsJson, subjectJson } from '../../users/subject-json.js';
import { loadEvents, withEvents } from '../../users/load-events.js';

/** Text of properties that is in memory at once, about; a single user may have 1 MiB. */
const MOST_CHARACTERS = 8_388_608;

/**
 * As many users as fit, by the size of their properties alone: $2 characters, with the size of
 * `more`.
 */
const fitting = (more: string, join: string): string => `
  sized AS MATERIALIZED (
    SELECT user_id, sum(size) OVER (ORDER BY user_id) - size AS before FROM (
      SELECT u.user_id, octet_length(u.properties::text) + ${more} AS size FROM users u ${join} WHERE u.user_id = ANY ($1::uuid[])
    ) s
  ), fitting AS MATERIALIZED (SELECT user_id FROM sized WHERE before <= $2)`;

const WITHOUT_GROUPS = `
  WITH ${fitting('0', '')}
  SELECT u.user_id AS "userId", ${subjectJson('u')} AS "user", NULL AS groups
  FROM users u JOIN fitting f USING (user_id) WHERE u.user_id = ANY ($1::uuid[]) ORDER BY u.user_id`;

/**
 * Groups lie elsewhere than users where tables are distributed (G1), so that they are read by
 * steps.
 */
const WITH_GROUPS = `
  WITH own AS MATERIALIZED (SELECT user_id, group_id FROM memberships WHERE user_id = ANY ($1::uuid[])),
  weights AS MATERIALIZED (
    SELECT group_id, octet_length(properties::text) AS size FROM groups WHERE group_id IN (SELECT group_id FROM own)
  ), heavy AS MATERIALIZED (SELECT o.user_id, sum(w.size) AS size FROM own o JOIN weights w USING (group_id) GROUP BY o.user_id),
  ${fitting('coalesce(h.size, 0)', 'LEFT JOIN heavy h ON h.user_id = u.user_id')},
  member AS MATERIALIZED (
    SELECT o.user_id, g.identifier, ${subjectJson('g')} AS subject
    FROM groups g JOIN own o ON o.group_id = g.group_id JOIN fitting f ON f.user_id = o.user_id
  ), gathered AS MATERIALIZED (
    SELECT user_id, json_agg(subject ORDER BY identifier COLLATE "C") AS groups FROM member GROUP BY user_id
  )
  SELECT u.user_id AS "userId", ${subjectJson('u')} AS "user", r.groups
  FROM users u JOIN fitting f ON f.user_id = u.user_id LEFT JOIN gathered r ON r.user_id = u.user_id
  WHERE u.user_id = ANY ($1::uuid[]) ORDER BY u.user_id`;

interface ContextRow {
  userId: string;
  user: Context['user'];
  groups: Context['user'][] | null;
}

/** The time of the database in milliseconds, which is the same for all users of one run (S30). */
export async function loadNow(dataSource: DataSource): Promise<number> {
  const [row] = (await dataSource.query(
    'SELECT floor(extract(epoch FROM now()) * 1000)::float8 AS now',
  )) as { now: number }[];
  return row!.now;
}

/**
 * What expressions see of users where no group is named, by user id, as many at a time as fit into
 * memory; users who are gone are left out. Their groups are read only where they are requested
 * (S33).
 */
export async function* loadContexts(
  dataSource: DataSource,
  userIds: readonly string[],
  {
    now,
    groups: inGroups,
    events: names = [],
  }: {
    readonly now: number;
    readonly groups: boolean;
    /** Names of events that conditions look at (Z2). */
    readonly events?: readonly string[] | 'all';
  },
): AsyncGenerator<ReadonlyMap<string, Context>> {
  const text = inGroups ? WITH_GROUPS : WITHOUT_GROUPS;
  let waiting = [...userIds].sort();
  while (waiting.length > 0) {
    const rows = (await dataSource.query(text, [waiting, MOST_CHARACTERS])) as ContextRow[];
    const last = rows.at(-1)?.userId;
    if (last === undefined) return;
    const events = await loadEvents(
      dataSource,
      rows.map(({ userId }) => userId),
      names,
    );
    yield new Map(
      rows.map(({ userId, user, groups }) => [
        userId,
        {
          ...{ now, userId, user: withEvents(user, events.get(userId)) },
          ...{ group: null, groups: groups ?? [] },
        },
      ]),
    );
    waiting = waiting.filter((id) => id > last);
  }
}

const CONTEXT = `
  WITH ${memberGroups('user_id = $1')},
  named AS MATERIALIZED (SELECT ${subjectJson('g')} AS subject FROM groups g WHERE g.group_id = $2)
  SELECT ${subjectJson('u')} AS "user", (SELECT subject FROM named) AS "group", ${memberGroupsJson('u.user_id')} AS groups
  FROM users u WHERE u.user_id = $1`;

/**
 * What expressions see of one user, in that group; null for a user who was never identified (B3).
 */
export async function loadContext(
  dataSource: DataSource,
  userId: string,
  group: { readonly identifier: string; readonly groupId: string } | null,
  now: number,
): Promise<Context | null> {
  const [row] = (await dataSource.query(CONTEXT, [userId, group?.groupId ?? null])) as (Pick<
    Context,
    'user' | 'group'
  > &
    Pick<ContextRow, 'groups'>)[];
  if (!row) return null;
  // A group that was never identified is known by its identifier alone (B3).
  const unknown = group && {
    identifier: group.identifier,
    properties: {},
    createdAt: null,
    updatedAt: null,
  };
  const user = withEvents(row.user, (await loadEvents(dataSource, [userId], 'all')).get(userId));
  const ids = { userId, groupId: group?.groupId ?? null };
  return { now, ...ids, user, group: row.group ?? unknown, groups: row.groups ?? [] };
}

/** Those of these users for whom a condition holds. */
export async function loadMatching(
  dataSource: DataSource,
  userIds: readonly string[],
  condition: Expression,
  now: number,
): Promise<ReadonlySet<string>> {
  const matching = new Set<string>();
  const asked = { now, groups: condition.mentionsGroup, events: condition.events };
  for await (const contexts of loadContexts(dataSource, userIds, asked)) {
    for (const [userId, context] of contexts)
      if (evaluateCondition(condition, context)) matching.add(userId);
  }
  return matching;
}

/** The rows of users for whom a condition holds; all rows without a condition. */
export async function keepMatching<Row extends { readonly userId: string | null }>(
  dataSource: DataSource,
  rows: readonly Row[],
  condition: Expression | null,
  now: number,
): Promise<readonly Row[]> {
  if (!condition) return rows;
  const userIds = rows.flatMap(({ userId }) => userId ?? []);
  const matching = await loadMatching(dataSource, userIds, condition, now);
  return rows.filter(({ userId }) => userId !== null && matching.has(userId));
}

/** Throws `request.invalid` for a condition that cannot be read. */
export const loadCondition = async (
  manager: EntityManager,
  when: string | undefined,
): Promise<Expression | null> =>
  when === undefined ? null : readCondition(await expandCondition(manager, when));
