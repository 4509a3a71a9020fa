import { defineStatement, type Statement } from '../database/statement.js';
import type { IdentifyRows, SubjectRow } from './identify-rows.js';

const onConflict = (table: 'users' | 'groups', key: string): string => `
  ON CONFLICT (${key}) DO UPDATE SET properties = ${table}.properties || excluded.properties,
    updated_at = greatest(${table}.updated_at, excluded.updated_at)`;

/**
 * The time comes with the row that is proposed, by the default of its column: Citus computes
 * nothing in DO UPDATE.
 */
const upsert = (
  table: 'users' | 'groups',
  key: 'user_id' | 'group_id',
  rows: '$1' | '$2',
  after = '',
): string => `
  INSERT INTO ${table} (${key}, environment_id, identifier, properties)
  SELECT s, e, i, p FROM jsonb_to_recordset(${rows}::jsonb) AS row (s uuid, e uuid, i text, p jsonb) ${after}
  ${onConflict(table, key)}`;

/**
 * Writes one user: where tables are distributed it goes to the one server that has the user (G1).
 */
export const IDENTIFY_USER = defineStatement(
  'identify_user',
  `INSERT INTO users (user_id, environment_id, identifier, properties) VALUES ($1, $2, $3, $4::jsonb)
   ${onConflict('users', 'user_id')}`,
);

/** Writes many users without groups at once, locking them in the order of the rows. */
export const IDENTIFY_USERS = defineStatement(
  'identify_users',
  upsert('users', 'user_id', '$1'),
  'one',
);

/**
 * Writes users, groups and memberships at once. Every run locks users, then groups, then
 * memberships, each in the order of the rows: a part waits for the one before by counting it, since
 * PostgreSQL would otherwise be free to choose. So no two can deadlock (U4).
 */
export const IDENTIFY_WITH_GROUPS = defineStatement(
  'identify_with_groups',
  `WITH written_users AS (${upsert('users', 'user_id', '$1')} RETURNING 1),
  written_groups AS (${upsert('groups', 'group_id', '$2', 'WHERE (SELECT count(*) FROM written_users) >= 0')} RETURNING 1)
  INSERT INTO memberships (user_id, group_id)
  SELECT u, g FROM jsonb_to_recordset($3::jsonb) AS row (u uuid, g uuid) WHERE (SELECT count(*) FROM written_groups) >= 0
  ON CONFLICT (user_id, group_id) DO NOTHING`,
  'one',
);

/**
 * The parameters of `IDENTIFY_WITH_GROUPS`, the first one that of `IDENTIFY_USERS`. Raw properties
 * go into them as they are: they were parsed as JSON before, so they cannot break out of it.
 */
export const identifyValues = ({
  users,
  groups,
  memberships,
}: IdentifyRows): [users: string, groups: string, memberships: string] => [
  toJson(users, subjectJson),
  toJson(groups, subjectJson),
  toJson(memberships, ([user, group]) => `{"u":"${user}","g":"${group}"}`),
];

const subjectJson = ({ key, environmentId, identifier, properties }: SubjectRow): string =>
  `{"s":"${key}","e":"${environmentId}","i":${JSON.stringify(identifier)},"p":${properties}}`;

function toJson<Row>(rows: readonly Row[], write: (row: Row) => string): string {
  let text = '[';
  for (const row of rows) text += text.length > 1 ? `,${write(row)}` : write(row);
  return `${text}]`;
}

/** A statement with its parameters. */
interface Write {
  readonly statement: Statement;
  readonly values: readonly string[];
}

/** Rows of one list of values: a statement takes 65,535 parameters. */
const MOST_ROWS = 5_000;

/**
 * The same as `IDENTIFY_WITH_GROUPS` for tables that are distributed, in the same order, to be run
 * in one transaction. Of a list of values Citus knows which server each row is for; rows of a
 * function or a CTE it would send to all of them (G1, G4).
 */
export const identifySpread = ({ users, groups, memberships }: IdentifyRows): Write[] => [
  ...listed(users.map(subjectValues), (rows) => upsertListed('users', 'user_id', rows)),
  ...listed(groups.map(subjectValues), (rows) => upsertListed('groups', 'group_id', rows)),
  ...listed(memberships, insertMemberships),
];

const subjectValues = ({ key, environmentId, identifier, properties }: SubjectRow): string[] => [
  key,
  environmentId,
  identifier,
  properties,
];

const upsertListed = (table: 'users' | 'groups', key: string, rows: string): string =>
  `INSERT INTO ${table} (${key}, environment_id, identifier, properties) VALUES ${rows} ${onConflict(table, key)}`;

const insertMemberships = (rows: string): string =>
  `INSERT INTO memberships (user_id, group_id) VALUES ${rows} ON CONFLICT (user_id, group_id) DO NOTHING`;

function listed(rows: readonly (readonly string[])[], textOf: (rows: string) => string): Write[] {
  const writes: Write[] = [];
  for (let start = 0; start < rows.length; start += MOST_ROWS) {
    const part = rows.slice(start, start + MOST_ROWS);
    // Without a name, so that it is not prepared: its text is another one for each number of rows.
    const statement: Statement = { name: '', text: textOf(placeholders(part)), servers: 'any' };
    writes.push({ statement, values: part.flat() });
  }
  return writes;
}

/** `($1, $2), ($3, $4)` */
function placeholders(rows: readonly (readonly string[])[]): string {
  let count = 0;
  return rows.map((row) => `(${row.map(() => `$${++count}`).join(', ')})`).join(', ');
}
