import type { Database } from '../database/database.js';
import { defineStatement } from '../database/statement.js';

/** Whose changes are wanted: ids of users and groups. */
export interface WantedChanges {
  readonly users: readonly string[];
  readonly events: { readonly users: readonly string[]; readonly names: readonly string[] };
  readonly groups: readonly string[];
  /** Users all of whose groups count (S33). */
  readonly members: readonly string[];
}

export interface ChangedSubject {
  /** Of a user, or of a group that was named. */
  readonly id: string;
  readonly of: 'user' | 'events' | 'groups' | 'group';
  /** Another one after each change. */
  readonly stamp: string;
}

interface Changes {
  /** Time of the database, for the next look. */
  readonly now: string;
  readonly changed: readonly ChangedSubject[];
}

/** Times are those of the beginning of a transaction, which may commit later. */
const SINCE = "(coalesce($6::timestamptz, now()) - interval '5 seconds')";

/**
 * Groups lie elsewhere than users where tables are distributed, so that memberships are read before
 * them (G1).
 */
const LOAD_CHANGED = defineStatement(
  'load_changed_subjects',
  `WITH own AS MATERIALIZED (SELECT user_id, group_id FROM memberships WHERE user_id = ANY ($4::uuid[])),
   users AS MATERIALIZED (
     SELECT user_id AS id, updated_at::text AS stamp FROM users WHERE user_id = ANY ($1::uuid[]) AND updated_at > ${SINCE}
   ), events AS MATERIALIZED (
     SELECT user_id AS id, concat(sum(count), ' ', max(last_at)) AS stamp FROM user_events
     WHERE user_id = ANY ($2::uuid[]) AND name = ANY ($3::text[]) GROUP BY user_id HAVING max(last_at) > ${SINCE}
   ), shared AS MATERIALIZED (
     SELECT own.user_id AS id, string_agg(g.updated_at::text, ' ' ORDER BY g.group_id) AS stamp
     FROM groups g JOIN own USING (group_id) WHERE g.updated_at > ${SINCE} GROUP BY own.user_id
   ), named AS MATERIALIZED (
     SELECT group_id AS id, updated_at::text AS stamp FROM groups WHERE group_id = ANY ($5::uuid[]) AND updated_at > ${SINCE}
   )
   SELECT NULL::uuid AS id, 'now' AS of, now()::text AS stamp
   UNION ALL SELECT id, 'user', stamp FROM users UNION ALL SELECT id, 'events', stamp FROM events
   UNION ALL SELECT id, 'groups', stamp FROM shared UNION ALL SELECT id, 'group', stamp FROM named`,
);

/**
 * What was changed after the time that an earlier call returned, less five seconds; without one, in
 * the last five seconds.
 */
export async function loadChanged(
  database: Database,
  { users, events, groups, members }: WantedChanges,
  since: string | null,
): Promise<Changes> {
  const rows = await database.run<
    Omit<ChangedSubject, 'of'> & { of: ChangedSubject['of'] | 'now' }
  >(LOAD_CHANGED, [users, events.users, events.names, members, groups, since]);
  return {
    now: rows.find(({ of }) => of === 'now')!.stamp,
    changed: rows.filter((row): row is ChangedSubject => row.of !== 'now'),
  };
}
