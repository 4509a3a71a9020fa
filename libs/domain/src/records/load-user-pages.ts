import type { DataSource } from 'typeorm';
import { isDistributed } from '../database/is-distributed.js';
import { defineStatement } from '../database/statement.js';
import type { FlowState } from '../engine/index.js';
import { readPages, type UserIdRange } from '../analysis/index.js';
import { userId } from '../users/subject-id.js';
import { type ListedUser, listUsers } from './list-users.js';
import type { BlockLocations } from './block-locations.js';

/** Whom to look for; a user has to fit all of it. */
export interface UserFilter {
  /** The beginning of the identifier, case-sensitive. */
  readonly startsWith?: string;
  /** An expression over the user, and over their groups (S29, S33). */
  readonly when?: string;
  /**
   * Users with a state in this flow, as it is in `version`, or in the newest committed version that
   * they met.
   */
  readonly flow?: string;
  readonly version?: number;
  /** Users who are at this block or item of the flow. */
  readonly block?: string;
  /**
   * Users who started the flow and for whom its goal holds now, or who finished it and for whom it
   * does not (Z7).
   */
  readonly goal?: 'met' | 'missed';
  /** Users who met that version of the flow then or later. */
  readonly since?: Date;
}

export interface FindOptions {
  /** Users at most. */
  readonly limit?: number;
  /** Users after this identifier, in the order of the pages. */
  readonly after?: string;
  /**
   * Called after every page how much of all users is behind, from 0 to 1; not where users come by
   * identifier.
   */
  readonly onProgress?: (done: number) => void;
  readonly signal?: AbortSignal;
}

/** A user with the state in the requested flow. */
export interface UserRow extends ListedUser {
  readonly userId: string;
  readonly version?: number;
  readonly state?: FlowState;
}

interface Search {
  readonly environmentId: string;
  readonly filter: UserFilter;
  readonly where: BlockLocations | null;
  readonly options: FindOptions;
}

export interface LoadedUsers {
  /** Those who have a state in the flow, where one is requested. */
  readonly rows: readonly UserRow[];
  readonly lookedAt: number;
  /** The identifier of the last user who was looked at; missing on a page without any. */
  readonly last: string | undefined;
  /** How much of all users is behind, from 0 to 1, where that can be known. */
  readonly done?: number;
}

const PAGE = 2_000;
const NOBODY = '00000000-0000-0000-0000-000000000000';

const COLUMNS =
  'u.user_id AS "userId", u.identifier, u.created_at AS "createdAt", u.updated_at AS "updatedAt"';

const USERS = defineStatement(
  'find_users',
  `SELECT ${COLUMNS} FROM users u
   WHERE u.environment_id = $1 AND u.user_id BETWEEN $2 AND $3 AND u.user_id > $4 ORDER BY u.user_id`,
);

const USERS_IN_FLOW = {
  /**
   * By their key: PostgreSQL takes a range of ids for one row, and would go through the whole page
   * for each user of it.
   */
  one: defineStatement(
    'find_users_in_flow',
    `SELECT DISTINCT ON (u.user_id) ${COLUMNS}, s.version, s.state
     FROM unnest($6::int[]) v (version)
     CROSS JOIN LATERAL (
       SELECT * FROM flow_states o WHERE o.flow = $5 AND o.version = v.version AND o.user_id BETWEEN $2 AND $3
         AND ($7::timestamptz IS NULL OR o.created_at >= $7) OFFSET 0
     ) s
     CROSS JOIN LATERAL (SELECT * FROM users u WHERE u.user_id = s.user_id AND u.environment_id = $1 OFFSET 0) u
     WHERE s.user_id > $4 ORDER BY u.user_id, s.version DESC`,
    'one',
  ),
  /**
   * Of tables that are distributed, where each shard has its own plan (G1). It does not infer the
   * range of users by itself.
   */
  spread: defineStatement(
    'find_spread_users_in_flow',
    `SELECT DISTINCT ON (u.user_id) ${COLUMNS}, s.version, s.state
     FROM flow_states s
     JOIN users u ON u.user_id = s.user_id AND u.environment_id = $1 AND u.user_id BETWEEN $2 AND $3
     WHERE s.flow = $5 AND s.version = ANY ($6::int[]) AND s.user_id BETWEEN $2 AND $3 AND s.user_id > $4
       AND ($7::timestamptz IS NULL OR s.created_at >= $7)
     ORDER BY u.user_id, s.version DESC`,
  ),
};

const STATES_OF_USERS = defineStatement(
  'load_states_of_found_users',
  `SELECT DISTINCT ON (s.user_id) s.user_id AS "userId", s.version, s.state FROM flow_states s
   WHERE s.user_id = ANY ($1::uuid[]) AND s.flow = $2 AND s.version = ANY ($3::int[])
     AND ($4::timestamptz IS NULL OR s.created_at >= $4)
   ORDER BY s.user_id, s.version DESC`,
);

/**
 * Users page by page, as yet without their condition and block: by identifier or by id, as
 * `findUsers` says.
 */
export function loadUserPages(dataSource: DataSource, search: Search): AsyncGenerator<LoadedUsers> {
  const { startsWith, when, flow } = search.filter;
  const isByIdentifier = startsWith !== undefined || (when ?? flow) === undefined;
  return isByIdentifier ? pagesByIdentifier(dataSource, search) : pagesById(dataSource, search);
}

async function* pagesById(
  dataSource: DataSource,
  { environmentId, filter, where, options: { after, signal } }: Search,
): AsyncGenerator<LoadedUsers> {
  const from = after === undefined ? NOBODY : userId(environmentId, after);
  const inFlow = USERS_IN_FLOW[(await isDistributed(dataSource)) ? 'spread' : 'one'];
  const load = ({ from: first, to }: UserIdRange): Promise<UserRow[]> => {
    const values = [environmentId, first, to, from];
    if (!where) return dataSource.query(USERS.text, values);
    return dataSource.query(inFlow.text, [
      ...values,
      where.flow,
      [...where.names.keys()],
      filter.since ?? null,
    ]);
  };
  for await (const { rows, done } of readPages(load, { wanted: PAGE, from, signal }))
    yield { rows, lookedAt: rows.length, last: rows.at(-1)?.identifier, done };
}

async function* pagesByIdentifier(
  dataSource: DataSource,
  { environmentId, filter, where, options }: Search,
): AsyncGenerator<LoadedUsers> {
  const { startsWith = '', when, since = null } = filter;
  const isAnybody = when === undefined && !where;
  const limit = isAnybody ? Math.min(PAGE, options.limit ?? PAGE) : PAGE;
  let { after } = options;
  for (;;) {
    options.signal?.throwIfAborted();
    const page = { limit, startsWith, ...(after !== undefined && { after }) };
    const listed = await listUsers(dataSource, environmentId, page);
    const users = listed.map((user) => ({
      ...user,
      userId: userId(environmentId, user.identifier),
    }));
    const rows = where ? await withStates(dataSource, users, where, since) : users;
    after = users.at(-1)?.identifier;
    yield { rows, lookedAt: users.length, last: after };
    if (users.length < limit) return;
  }
}

/** Those who have a state in the flow. */
async function withStates(
  dataSource: DataSource,
  users: readonly UserRow[],
  { flow, names }: BlockLocations,
  since: Date | null,
): Promise<UserRow[]> {
  const ids = users.map((user) => user.userId);
  const values = [ids, flow, [...names.keys()], since];
  const rows: UserRow[] = await dataSource.query(STATES_OF_USERS.text, values);
  const states = new Map(rows.map((row) => [row.userId, row]));
  return users.flatMap((user) => {
    const state = states.get(user.userId);
    return state ? { ...user, ...state } : [];
  });
}
