import type { DataSource } from 'typeorm';
import { isDistributed } from '../database/is-distributed.js';
import type { FlowState } from '../engine/index.js';
import { readCondition } from '../flow-states/index.js';
import { loadContexts, loadNow, readPages, type UserIdRange } from '../impact/index.js';
import { evaluateCondition, type Expression } from '../targeting/index.js';
import { userId } from '../users/subject-id.js';
import type { ListedUser } from './list-users.js';
import { activeIn, loadWhereabouts, type Whereabouts } from './whereabouts.js';

/** Whom to look for; a user has to fit all of it. */
export interface UserFilter {
  /** An expression over the user, and over their groups (S29, S33). */
  readonly when?: string;
  /** Users with a state in this flow, as it is in `version`, or in the newest committed version that they met. */
  readonly flow?: string;
  readonly version?: number;
  /** Users who are at this block or item of the flow. */
  readonly block?: string;
  /** Users who met that version of the flow then or later. */
  readonly since?: Date;
}

export interface FoundUser extends ListedUser {
  /** Where the filter names a flow; `active` has the blocks where the user is, in the order of the definition. */
  readonly place?: Pick<FlowState, 'started' | 'stopped' | 'finished'> & { readonly version: number; readonly active: string[] };
}

export interface FindOptions {
  /** Users behind this one; the order is that of their ids, which are hashes. */
  readonly after?: string;
  /** Called after every page how much of all users is behind, from 0 to 1. */
  readonly onProgress?: (done: number) => void;
  readonly signal?: AbortSignal;
}

interface Row extends ListedUser {
  userId: string;
  version?: number;
  state?: FlowState;
}

const PAGE = 2_000;
const NOBODY = '00000000-0000-0000-0000-000000000000';
const COLUMNS = 'u.user_id AS "userId", u.identifier, u.created_at AS "createdAt", u.updated_at AS "updatedAt"';

const USERS = `
  SELECT ${COLUMNS} FROM users u
  WHERE u.environment_id = $1 AND u.user_id BETWEEN $2 AND $3 AND u.user_id > $4 ORDER BY u.user_id`;

const usersIn = (user: string): string => `
  SELECT DISTINCT ON (u.user_id) ${COLUMNS}, s.version, s.state
  FROM unnest($6::int[]) v (version)
  CROSS JOIN LATERAL (
    SELECT * FROM flow_states o WHERE o.flow = $5 AND o.version = v.version AND o.user_id BETWEEN $2 AND $3
      AND ($7::timestamptz IS NULL OR o.created_at >= $7) OFFSET 0
  ) s ${user} WHERE s.user_id > $4 ORDER BY u.user_id, s.version DESC`;
const USERS_IN = {
  /** By their key: PostgreSQL takes a range of ids for one row, and would go through the whole page for each user of it. */
  one: usersIn('CROSS JOIN LATERAL (SELECT * FROM users u WHERE u.user_id = s.user_id AND u.environment_id = $1 OFFSET 0) u'),
  /** Of tables that are distributed, where each shard has its own plan. It does not infer the range of users by itself. */
  spread: usersIn('JOIN users u ON u.user_id = s.user_id AND u.environment_id = $1 AND u.user_id BETWEEN $2 AND $3'),
};

/**
 * The users of an environment who fit, page by page in the order of their ids (ADR 18): no lock is held, and whoever has
 * enough stops. Throws `flow.unknown`, `version.unknown`, `block.unknown`, and `request.invalid` for a condition that cannot
 * be read.
 */
export async function* findUsers(
  dataSource: DataSource,
  environmentId: string,
  filter: UserFilter,
  { after, onProgress, signal }: FindOptions = {},
): AsyncGenerator<FoundUser> {
  const condition = filter.when === undefined ? null : readCondition(filter.when);
  const { flow, block, since = null } = filter;
  const where = flow === undefined ? null : await loadWhereabouts(dataSource, environmentId, { ...filter, flow });
  const now = await loadNow(dataSource);
  const from = after === undefined ? NOBODY : userId(environmentId, after);
  const usersInFlow = USERS_IN[(await isDistributed(dataSource)) ? 'spread' : 'one'];
  const load = ({ from: first, to }: UserIdRange): Promise<Row[]> => {
    const values = [environmentId, first, to, from];
    if (!where) return dataSource.query(USERS, values);
    return dataSource.query(usersInFlow, [...values, where.flow, [...where.names.keys()], since]);
  };
  for await (const { rows, done } of readPages(load, { wanted: PAGE, from, signal })) {
    const found = rows.map((row) => ({ id: row.userId, user: foundUser(row, where) }));
    const there = block === undefined ? found : found.filter(({ user }) => user.place!.active.includes(block));
    const fitting = condition && (await fittingOf(dataSource, there, condition, now));
    for (const { id, user } of there) if (!fitting || fitting.has(id)) yield user;
    onProgress?.(done);
  }
}

function foundUser({ identifier, createdAt, updatedAt, version, state }: Row, where: Whereabouts | null): FoundUser {
  const listed = { identifier, createdAt, updatedAt };
  if (!state || !where) return listed;
  const { started, stopped, finished } = state;
  return { ...listed, place: { version: version!, started, stopped, finished, active: activeIn(where, version!, state) } };
}

async function fittingOf(
  dataSource: DataSource,
  users: readonly { readonly id: string }[],
  condition: Expression,
  now: number,
): Promise<ReadonlySet<string>> {
  const fitting = new Set<string>();
  const ids = users.map(({ id }) => id);
  for await (const contexts of loadContexts(dataSource, ids, { now, groups: condition.mentionsGroup })) {
    for (const [id, context] of contexts) if (evaluateCondition(condition, context)) fitting.add(id);
  }
  return fitting;
}
