import type { DataSource } from 'typeorm';
import { isDistributed } from '../../database/is-distributed.js';
import { defineStatement, type Statement } from '../../database/statement.js';
import type { FlowState } from '../../engine/index.js';
import type { UserIdRange } from '../pages/user-id-ranges.js';
import type { MetState } from './foresee.js';

export interface PlanScope {
  readonly environmentId: string;
  readonly flow: string;
  /** Highest commit; null before the first. */
  readonly latest: number | null;
  /** Names of the properties that conditions look at; null where they look at all. */
  readonly properties: readonly string[] | null;
}

/** A user with the state of the highest version that they met, as text: equal states have the same one. */
export interface PlannedRow {
  readonly userId: string;
  readonly identifier: string;
  /** Both null for a user who has none. */
  readonly version: number | null;
  readonly state: string | null;
  /** The properties that conditions look at, as text; null where it is not known which they are, or they are large. */
  readonly asked: string | null;
  /** What readers of `latest` find now, where that is not the highest commit. */
  readonly found?: MetState | null;
}

/** Of the properties only those with the names of the parameter; in bytes, so that large ones are read by their size elsewhere. */
const ASKED = `(SELECT CASE WHEN pg_column_size(a.some) <= 1000 THEN a.some::text END FROM (
    SELECT coalesce(jsonb_object_agg(k, u.properties -> k), '{}') AS some FROM unnest($6::text[]) k WHERE u.properties ? k
  ) a)`;

/**
 * A range of the index for each version, then a lookup of each user: PostgreSQL takes a range in the middle of all ids for
 * one row, and would go through a range of users for each of them.
 */
const oneByOne = (asked: string): string => `
  FROM generate_series(1, $2::int) v (version)
  CROSS JOIN LATERAL (
    SELECT * FROM flow_states o WHERE o.flow = $1 AND o.version = v.version AND o.user_id BETWEEN $3 AND $4 OFFSET 0
  ) s
  CROSS JOIN LATERAL (
    SELECT u.identifier, ${asked} AS asked FROM users u WHERE u.user_id = s.user_id AND u.environment_id = $5 OFFSET 0
  ) u
  WHERE true`;
/** The same for tables that are distributed, where each shard has its own plan (G1). */
const spread = (asked: string): string => `
  FROM flow_states s
  JOIN (SELECT u.user_id, u.identifier, ${asked} AS asked FROM users u WHERE u.user_id BETWEEN $3 AND $4 AND u.environment_id = $5) u
    ON u.user_id = s.user_id
  WHERE s.flow = $1 AND s.version BETWEEN 1 AND $2::int AND s.user_id BETWEEN $3 AND $4`;

/** Older states of the same user are left out by a lookup rather than by sorting, which would carry all states to the disk. */
const met = (from: string): string => `
  SELECT s.user_id AS "userId", u.identifier, s.version, s.state::text, u.asked ${from} AND (s.version = $2::int OR NOT EXISTS (
    SELECT 1 FROM flow_states n WHERE n.user_id = s.user_id AND n.flow = $1 AND n.version > s.version AND n.version <= $2::int
  ))`;

/** By rows rather than by their parts, which keeps PostgreSQL to one lookup in the primary key for each user. */
const everybody = (asked: string): string => `
  SELECT u.user_id AS "userId", u.identifier, s.version, s.state::text, ${asked} AS asked
  FROM users u LEFT JOIN LATERAL (
    SELECT o.version, o.state FROM flow_states o
    WHERE o.user_id = u.user_id AND (o.user_id, o.flow, o.version) >= (u.user_id, $1, 1) AND (o.user_id, o.flow, o.version) <= (u.user_id, $1, $2::int)
    ORDER BY o.user_id DESC, o.flow DESC, o.version DESC LIMIT 1
  ) s ON true
  WHERE u.user_id BETWEEN $3 AND $4 AND u.environment_id = $5`;

/** By how they are asked for: everybody or those with a state, and whether properties are told. */
const [MET, MET_ASKED] = ['NULL', ASKED].map((asked, index) => ({
  one: defineStatement(`load_met_${index}`, met(oneByOne(asked)), 'one'),
  spread: defineStatement(`load_spread_met_${index}`, met(spread(asked))),
})) as [MetStatements, MetStatements];

interface MetStatements {
  readonly one: Statement;
  readonly spread: Statement;
}

/** Users of a range, by their ids, who have a state in a committed version, with the highest; or everybody, with it or without. */
export async function loadUsers(
  dataSource: DataSource,
  scope: PlanScope,
  range: UserIdRange,
  all: boolean,
): Promise<PlannedRow[]> {
  const rows = await loadInAnyOrder(dataSource, scope, range, all);
  return rows.sort((one, other) => (one.userId < other.userId ? -1 : 1));
}

async function loadInAnyOrder(
  dataSource: DataSource,
  { flow, latest, environmentId, properties }: PlanScope,
  { from, to }: UserIdRange,
  all: boolean,
): Promise<PlannedRow[]> {
  const shape = (await isDistributed(dataSource)) ? 'spread' : 'one';
  const values = [flow, latest ?? 0, from, to, environmentId];
  // Where conditions look at none, there is nothing to tell users apart by.
  if (!properties?.length) return dataSource.query(all ? everybody('NULL') : MET[shape].text, values);
  return dataSource.query(all ? everybody(ASKED) : MET_ASKED[shape].text, [...values, properties]);
}

interface MetStateRow {
  user_id: string;
  version: number;
  state: FlowState;
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
  )) as MetStateRow[];
  return new Map(rows.map((row) => [row.user_id, { version: row.version, state: row.state }]));
}
