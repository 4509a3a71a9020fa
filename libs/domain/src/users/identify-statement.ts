import { defineStatement } from '../database/statement.js';
import { mergeRawObjects } from '../json/index.js';
import type { IdentifyRequest, IdentifiedSubject } from './identify-request.js';
import { groupId, userId } from './subject-id.js';

/** The time comes with the row that is proposed, by the default of its column: Citus computes nothing in DO UPDATE. */
const upsert = (table: 'users' | 'groups', key: 'user_id' | 'group_id', rows: '$1' | '$2', after = ''): string => `
  INSERT INTO ${table} (${key}, environment_id, identifier, properties)
  SELECT s, e, i, p FROM jsonb_to_recordset(${rows}::jsonb) AS row (s uuid, e uuid, i text, p jsonb) ${after}
  ON CONFLICT (${key}) DO UPDATE
    SET properties = ${table}.properties || excluded.properties, updated_at = greatest(${table}.updated_at, excluded.updated_at)`;

/** Writes one user: where tables are distributed it goes to the one server that has the user (G1). */
export const IDENTIFY_USER = defineStatement(
  'identify_user',
  `INSERT INTO users (user_id, environment_id, identifier, properties) VALUES ($1, $2, $3, $4::jsonb)
   ON CONFLICT (user_id) DO UPDATE
     SET properties = users.properties || excluded.properties, updated_at = greatest(users.updated_at, excluded.updated_at)`,
);

/** Writes many users without groups at once, locking them in the order of the rows. */
export const IDENTIFY_USERS = defineStatement('identify_users', upsert('users', 'user_id', '$1'));

/**
 * Writes users, groups and memberships at once. Every run locks users, then groups, then memberships, each in the order
 * of the rows: a part waits for the one before by counting it, since PostgreSQL would otherwise be free to choose. So no two
 * can deadlock (U4).
 */
export const IDENTIFY_WITH_GROUPS = defineStatement(
  'identify_with_groups',
  `WITH written_users AS (${upsert('users', 'user_id', '$1')} RETURNING 1),
  written_groups AS (${upsert('groups', 'group_id', '$2', 'WHERE (SELECT count(*) FROM written_users) >= 0')} RETURNING 1)
  INSERT INTO memberships (user_id, group_id)
  SELECT u, g FROM jsonb_to_recordset($3::jsonb) AS row (u uuid, g uuid) WHERE (SELECT count(*) FROM written_groups) >= 0
  ON CONFLICT (user_id, group_id) DO NOTHING`,
);

interface SubjectRow {
  readonly environmentId: string;
  readonly subject: IdentifiedSubject;
  /** The same subject again, in order. */
  later?: IdentifiedSubject[];
}

/**
 * The parameters of `IDENTIFY_WITH_GROUPS`, the first one that of `IDENTIFY_USERS`: one row for each user, group and
 * membership of all requests together. Users and groups are in the order of their keys, in which they are locked (R7); who
 * writes a membership has locked its group by then.
 */
export function identifyValues(requests: readonly IdentifyRequest[]): [users: string, groups: string, memberships: string] {
  const users = new Map<string, SubjectRow>();
  const groups = new Map<string, SubjectRow>();
  const memberships = new Set<string>();
  for (const request of requests) {
    const { environmentId } = request;
    for (const subject of request.users) collect(users, userId(environmentId, subject.identifier), environmentId, subject);
    for (const subject of request.groups) collect(groups, groupId(environmentId, subject.identifier), environmentId, subject);
    for (const { user, group } of request.memberships) {
      memberships.add(`{"u":"${userId(environmentId, user)}","g":"${groupId(environmentId, group)}"}`);
    }
  }
  return [subjectRows(users), subjectRows(groups), `[${[...memberships].join(',')}]`];
}

function collect(rows: Map<string, SubjectRow>, key: string, environmentId: string, subject: IdentifiedSubject): void {
  const row = rows.get(key);
  if (row) (row.later ??= []).push(subject);
  else rows.set(key, { environmentId, subject });
}

/** Raw properties go into the parameter as they are: they were parsed as JSON before, so they cannot break out of it. */
function subjectRows(rows: Map<string, SubjectRow>): string {
  const keys = [...rows.keys()].sort();
  let text = '[';
  for (const key of keys) {
    const { environmentId, subject, later } = rows.get(key)!;
    const properties = later ? mergeRawObjects([subject, ...later].map((one) => one.properties)) : subject.properties;
    if (text.length > 1) text += ',';
    text += `{"s":"${key}","e":"${environmentId}","i":${JSON.stringify(subject.identifier)},"p":${properties}}`;
  }
  return `${text}]`;
}
