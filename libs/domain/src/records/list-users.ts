import type { DataSource } from 'typeorm';
import { defineStatement } from '../database/statement.js';
import { parseIdentifier } from '../users/identifier.js';
import { userId } from '../users/subject-id.js';

export interface ListedUser {
  identifier: string;
  createdAt: Date;
  updatedAt: Date;
}

export interface UserListPage {
  readonly limit: number;
  /** Only users whose identifiers begin with this, case-sensitive. */
  readonly startsWith?: string;
  /** Only users after this identifier. */
  readonly after?: string;
}

const LIST = defineStatement(
  'list_users',
  `SELECT identifier, created_at AS "createdAt", updated_at AS "updatedAt" FROM users
  WHERE environment_id = $1 AND identifier COLLATE "C" >= $2 AND ($3::text IS NULL OR identifier COLLATE "C" < $3)
    AND ($4::text IS NULL OR identifier COLLATE "C" > $4)
  ORDER BY identifier COLLATE "C" LIMIT $5`,
);

/**
 * Users of an environment in the order of their identifiers' code points, a page at a time; an
 * index has them in this order (ADR 60). Throws `request.invalid` for a beginning that no
 * identifier has.
 */
export async function listUsers(
  dataSource: DataSource,
  environmentId: string,
  { limit, startsWith = '', after }: UserListPage,
): Promise<ListedUser[]> {
  if (startsWith !== '') parseIdentifier(startsWith, 'the beginning of an identifier');
  const values = [environmentId, startsWith, firstBehind(startsWith), after ?? null, limit];
  return (await dataSource.query(LIST.text, values)) as ListedUser[];
}

/**
 * A user as lists of the studio show them: the name, where their properties have one, before the
 * identifier (T16).
 */
export interface NamedUser {
  readonly identifier: string;
  readonly name?: string;
}

const LONGEST_NAME = 200;

const NAMES = defineStatement(
  'load_names_of_users',
  `SELECT identifier, left(properties ->> 'name', ${LONGEST_NAME}) AS name FROM users
  WHERE user_id = ANY ($1::uuid[]) AND jsonb_typeof(properties -> 'name') = 'string'
    AND properties ->> 'name' <> ''`,
);

/** Adds the property `name` of users who have one; those who are gone keep their place. */
export async function withNames(
  dataSource: DataSource,
  environmentId: string,
  identifiers: readonly string[],
): Promise<NamedUser[]> {
  const ids = identifiers.map((identifier) => userId(environmentId, identifier));
  const rows = (await dataSource.query(NAMES.text, [ids])) as {
    identifier: string;
    name: string;
  }[];
  const names = new Map(rows.map(({ identifier, name }) => [identifier, name]));
  return identifiers.map((identifier) => {
    const name = names.get(identifier);
    return name === undefined || name === identifier ? { identifier } : { identifier, name };
  });
}

/**
 * The least text that is above every text with this beginning, by code points; null where there is
 * none.
 */
export function firstBehind(beginning: string): string | null {
  const points = Array.from(beginning, (character) => character.codePointAt(0)!);
  while (points.at(-1) === LAST_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return null;
  const next = last === LAST_BEFORE_SURROGATES ? FIRST_BEHIND_SURROGATES : last + 1;
  return String.fromCodePoint(...points, next);
}

const LAST_POINT = 0x10ffff;
const LAST_BEFORE_SURROGATES = 0xd7ff;
const FIRST_BEHIND_SURROGATES = 0xe000;
