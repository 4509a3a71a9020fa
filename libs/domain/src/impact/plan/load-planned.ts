import type { DataSource } from 'typeorm';
import type { FlowState } from '../../engine/index.js';
import type { UserIdRange } from '../pages/user-id-ranges.js';
import type { MetState } from './foresee.js';

export interface PlanScope {
  readonly environmentId: string;
  readonly flow: string;
  /** Highest commit; null before the first. */
  readonly latest: number | null;
}

/** A user, or several whose states are the same. */
export interface PlannedRow {
  /** Null for several. */
  readonly userId: string | null;
  /** Of all of them, or as many as examples are wanted. */
  readonly identifiers: readonly string[];
  readonly users: number;
  readonly met: MetState | null;
  /** What readers of `latest` find now, where that is not the highest commit. */
  readonly found?: MetState | null;
}

/** The range is said of both sides, since PostgreSQL does not conclude it and would read all users for every page. */
const MET = `
  SELECT DISTINCT ON (s.user_id) s.user_id, u.identifier, s.version, s.state
  FROM generate_series(1, $2::int) v (version)
  CROSS JOIN LATERAL (
    SELECT * FROM flow_states o WHERE o.flow = $1 AND o.version = v.version AND o.user_id BETWEEN $3 AND $4 OFFSET 0
  ) s
  JOIN users u ON u.user_id = s.user_id AND u.user_id BETWEEN $3 AND $4 AND u.environment_id = $5
  ORDER BY s.user_id, s.version DESC`;

/** PostgreSQL counts equal states, so that each comes once. */
const EQUAL = `
  SELECT s.version, s.state, count(*)::int AS users, (array_agg(s.identifier))[1:$6::int] AS identifiers
  FROM (${MET}) s GROUP BY s.version, s.state`;

/** By rows rather than by their parts, which keeps PostgreSQL to one lookup in the primary key for each user. */
const EVERYBODY = `
  SELECT u.user_id, u.identifier, s.version, s.state
  FROM users u LEFT JOIN LATERAL (
    SELECT o.version, o.state FROM flow_states o
    WHERE (o.user_id, o.flow, o.version) >= (u.user_id, $1, 1) AND (o.user_id, o.flow, o.version) <= (u.user_id, $1, $2::int)
    ORDER BY o.user_id DESC, o.flow DESC, o.version DESC LIMIT 1
  ) s ON true
  WHERE u.user_id BETWEEN $3 AND $4 AND u.environment_id = $5 ORDER BY u.user_id`;

interface UserRow {
  user_id: string;
  identifier: string;
  version: number | null;
  state: FlowState;
}

/** Users of a range who have a state in a committed version, with the highest; or everybody, with it or without. */
export async function loadUsers(
  dataSource: DataSource,
  { flow, latest, environmentId }: PlanScope,
  { from, to }: UserIdRange,
  everybody: boolean,
): Promise<PlannedRow[]> {
  const values = [flow, latest ?? 0, from, to, environmentId];
  const rows = (await dataSource.query(everybody ? EVERYBODY : MET, values)) as UserRow[];
  return rows.map(({ user_id: userId, identifier, version, state }) => ({
    userId,
    identifiers: [identifier],
    users: 1,
    met: version === null ? null : { version, state },
  }));
}

/** The same of users with a state, where it does not matter who they are. */
export async function loadEqual(
  dataSource: DataSource,
  { flow, latest, environmentId }: PlanScope,
  { from, to }: UserIdRange,
  examples: number,
): Promise<PlannedRow[]> {
  const values = [flow, latest ?? 0, from, to, environmentId, examples];
  const rows = (await dataSource.query(EQUAL, values)) as (MetState & { users: number; identifiers: string[] })[];
  return rows.map(({ version, state, users, identifiers }) => ({ userId: null, identifiers, users, met: { version, state } }));
}

/** Where users are in a flow, in a version or the highest one below it (S28). */
export async function loadStatesOf(
  dataSource: DataSource,
  flow: string,
  version: number,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, MetState>> {
  const rows = (await dataSource.query(
    `SELECT DISTINCT ON (user_id) user_id, version, state FROM flow_states
     WHERE user_id = ANY ($1::uuid[]) AND flow = $2 AND version BETWEEN $3 AND $4 ORDER BY user_id, version DESC`,
    [userIds, flow, Math.min(version, 1), version],
  )) as UserRow[];
  return new Map(rows.map((row) => [row.user_id, { version: row.version!, state: row.state }]));
}
