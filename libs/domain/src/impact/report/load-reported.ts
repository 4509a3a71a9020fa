import type { DataSource } from 'typeorm';
import { isDistributed } from '../../database/is-distributed.js';
import { defineStatement, type Statement } from '../../database/statement.js';
import type { FlowEvent, FlowState } from '../../engine/index.js';
import type { UserIdRange } from '../pages/user-id-ranges.js';

/** Whose states a report is about. */
export interface ReportScope {
  readonly environmentId: string;
  readonly flow: string;
  readonly versions: readonly number[];
  readonly since: Date | null;
}

/** One user with a state in each version that they met, the newest last. */
export interface ReportedUser {
  readonly userId: string;
  readonly states: readonly FlowState[];
}

/** Users whose states are the same. */
export interface EqualUsers {
  readonly state: FlowState;
  readonly users: number;
}

/**
 * Each user is looked up by their key: PostgreSQL takes a range in the middle of all ids for one row, and would go through
 * the whole page for each user of it.
 */
const ONE_BY_ONE = `
  FROM unnest($3::int[]) v (version)
  CROSS JOIN LATERAL (
    SELECT * FROM flow_states o WHERE o.flow = $1 AND o.version = v.version AND o.user_id BETWEEN $4 AND $5 OFFSET 0
  ) s CROSS JOIN LATERAL (SELECT 1 FROM users u WHERE u.user_id = s.user_id AND u.environment_id = $2 OFFSET 0) u
  WHERE true`;
/** The same for tables that are distributed, where each shard has its own plan (G1). */
const SPREAD = `
  FROM flow_states s
  JOIN users u ON u.user_id = s.user_id AND u.user_id BETWEEN $4 AND $5 AND u.environment_id = $2
  WHERE s.flow = $1 AND s.version = ANY ($3::int[]) AND s.user_id BETWEEN $4 AND $5`;

const users = (from: string): string => `
  SELECT s.user_id AS "userId", array_agg(s.state ORDER BY s.version) AS states ${from}
  GROUP BY s.user_id HAVING $6::timestamptz IS NULL OR min(s.created_at) >= $6 ORDER BY s.user_id`;
const USERS = {
  one: defineStatement('load_reported_users', users(ONE_BY_ONE), 'one'),
  spread: defineStatement('load_spread_reported_users', users(SPREAD)),
};

/**
 * Many users have the very same state, so PostgreSQL counts them and each state comes once. By its text, since PostgreSQL
 * would sort the states themselves, and compares them slowly.
 */
const equalUsers = (from: string): string => `
  SELECT s.state::jsonb, count(*)::int AS users FROM (
    SELECT s.state::text COLLATE "C" AS state ${from} AND ($6::timestamptz IS NULL OR s.created_at >= $6)
  ) s GROUP BY s.state`;
const EQUAL_USERS = {
  one: defineStatement('load_equal_users', equalUsers(ONE_BY_ONE), 'one'),
  spread: defineStatement('load_spread_equal_users', equalUsers(SPREAD)),
};

const EVENTS = `
  SELECT e.user_id AS "userId", extract(epoch FROM e.at)::float8 * 1000 AS at, e.event FROM flow_events e
  WHERE e.user_id = ANY ($1::uuid[]) AND e.flow = $2 AND e.version = ANY ($3::int[])
  ORDER BY e.user_id, e.version, e.revision`;

/** Users of a range with their states. Where versions are several, `since` is about when a user met the first of them. */
export const loadReportedUsers = (dataSource: DataSource, scope: ReportScope, range: UserIdRange): Promise<ReportedUser[]> =>
  loadRange(dataSource, USERS, scope, range);

/** The same of one version, where it does not matter who they are. */
export const loadEqualUsers = (dataSource: DataSource, scope: ReportScope, range: UserIdRange): Promise<EqualUsers[]> =>
  loadRange(dataSource, EQUAL_USERS, scope, range);

async function loadRange<Row>(
  dataSource: DataSource,
  forms: Record<'one' | 'spread', Statement>,
  { flow, environmentId, versions, since }: ReportScope,
  { from, to }: UserIdRange,
): Promise<Row[]> {
  const { text } = forms[(await isDistributed(dataSource)) ? 'spread' : 'one'];
  return dataSource.query(text, [flow, environmentId, versions, from, to, since]);
}

export interface TimedEvent {
  readonly userId: string;
  readonly at: number;
  readonly event: FlowEvent;
}

/** The events of some users, by user and in their order. */
export function loadTimedEvents(dataSource: DataSource, scope: ReportScope, userIds: readonly string[]): Promise<TimedEvent[]> {
  return dataSource.query(EVENTS, [userIds, scope.flow, scope.versions]);
}
