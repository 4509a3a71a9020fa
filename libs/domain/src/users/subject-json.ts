import type { Subject } from '../targeting/evaluation/context.js';

const milliseconds = (time: string): string => `floor(extract(epoch FROM ${time}) * 1000)`;

/** SQL of what expressions see of a row of users or groups, by its alias. */
const MEMBERS: Readonly<Record<Exclude<keyof Subject, 'events'>, (of: string) => string>> = {
  identifier: (of) => `${of}.identifier`,
  properties: (of) => `${of}.properties`,
  createdAt: (of) => milliseconds(`${of}.created_at`),
  updatedAt: (of) => milliseconds(`${of}.updated_at`),
};

/** SQL: a row of users or groups, by its alias, as expressions see it (S29). */
export const subjectJson = (of: string): string =>
  `json_build_object(${Object.entries(MEMBERS)
    .map(([name, sql]) => `'${name}', ${sql(of)}`)
    .join(', ')})`;

/**
 * SQL: all groups of a user, in the order of their identifiers, as expressions see them; null for
 * none (S33).
 */
export const groupsJson = (
  userId: string,
): string => `(SELECT json_agg(${subjectJson('g')} ORDER BY g.identifier COLLATE "C")
  FROM memberships m JOIN groups g ON g.group_id = m.group_id WHERE m.user_id = ${userId})`;

/**
 * SQL: the same in two steps, for a WITH that says of whose memberships: groups lie elsewhere than
 * users where tables are distributed (G1). `memberGroupsJson` then replaces `groupsJson`.
 */
export const memberGroups = (whose: string): string => `
  own AS MATERIALIZED (SELECT user_id, group_id FROM memberships WHERE ${whose}),
  member AS MATERIALIZED (SELECT own.user_id, g.identifier, ${subjectJson('g')} AS subject FROM groups g JOIN own USING (group_id))`;

export const memberGroupsJson = (userId: string): string =>
  `(SELECT json_agg(m.subject ORDER BY m.identifier COLLATE "C") FROM member m WHERE m.user_id = ${userId})`;
