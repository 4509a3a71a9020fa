import type { DataSource } from 'typeorm';
import { isDistributed } from '../../database/is-distributed.js';
import { defineStatement, type Statement } from '../../database/statement.js';
import type { FlowEvent, FlowState } from '../../engine/index.js';
import type { UserIdRange } from './read-pages.js';

/** Whose states are read. */
export interface StateScope {
  readonly environmentId: string;
  readonly flow: string;
  /** In ascending order. */
  readonly versions: readonly number[];
}

type StatementForms = Record<'one' | 'spread', Statement>;

/**
 * States in a range of users, with what is read of these: $1 to $5 are flow, environment, versions
 * and both ends of the range. Each user is looked up by their key: PostgreSQL takes a range in the
 * middle of all ids for one row, and would go through the whole page for each user of it.
 */
const oneByOne = (columns: string): string => `
  FROM unnest($3::int[]) v (version)
  CROSS JOIN LATERAL (
    SELECT * FROM flow_states o WHERE o.flow = $1 AND o.version = v.version AND o.user_id BETWEEN $4 AND $5 OFFSET 0
  ) s
  CROSS JOIN LATERAL (SELECT ${columns} FROM users u WHERE u.user_id = s.user_id AND u.environment_id = $2 OFFSET 0) u
  WHERE true`;
/** The same for tables that are distributed, where each shard has its own plan (G1). */
const spread = (columns: string): string => `
  FROM flow_states s
  JOIN (SELECT u.user_id, ${columns} FROM users u WHERE u.user_id BETWEEN $4 AND $5 AND u.environment_id = $2) u
    ON u.user_id = s.user_id
  WHERE s.flow = $1 AND s.version = ANY ($3::int[]) AND s.user_id BETWEEN $4 AND $5`;

const defineForms = (
  name: string,
  text: (from: string) => string,
  columns = '1',
): StatementForms => ({
  one: defineStatement(`load_${name}`, text(oneByOne(columns)), 'one'),
  spread: defineStatement(`load_spread_${name}`, text(spread(columns))),
});

async function loadRange<Row>(
  dataSource: DataSource,
  forms: StatementForms,
  { flow, environmentId, versions }: StateScope,
  { from, to }: UserIdRange,
  ...more: readonly unknown[]
): Promise<Row[]> {
  const { text } = forms[(await isDistributed(dataSource)) ? 'spread' : 'one'];
  return dataSource.query(text, [flow, environmentId, versions, from, to, ...more]);
}

/** One user with a state in each version that they met, the newest last. */
export interface UserStates {
  readonly userId: string;
  readonly states: readonly FlowState[];
}

const USER_STATES = defineForms(
  'reported_users',
  (from) => `
  SELECT s.user_id AS "userId", array_agg(s.state ORDER BY s.version) AS states ${from}
  GROUP BY s.user_id HAVING $6::timestamptz IS NULL OR min(s.created_at) >= $6 ORDER BY s.user_id`,
);

/**
 * Users of a range with their states. Where versions are several, `since` is about when a user met
 * the first of them.
 */
export const loadUserStates = (
  dataSource: DataSource,
  scope: StateScope,
  range: UserIdRange,
  since: Date | null,
): Promise<UserStates[]> => loadRange(dataSource, USER_STATES, scope, range, since);

/** Users whose states are the same. */
interface EqualUsers {
  readonly state: FlowState;
  readonly users: number;
}

/**
 * Many users have the very same state, so PostgreSQL counts them and each state comes once. By its
 * text, since PostgreSQL would sort the states themselves, and compares them slowly.
 */
const EQUAL_USERS = defineForms(
  'equal_users',
  (from) => `
  SELECT g.state::jsonb, g.users FROM (
    SELECT s.state::text COLLATE "C" AS state, count(*)::int AS users ${from} AND ($6::timestamptz IS NULL OR s.created_at >= $6)
    GROUP BY s.state::text COLLATE "C"
  ) g`,
);

/** The same of one version, where it does not matter who they are. */
export const loadEqualUsers = (
  dataSource: DataSource,
  scope: StateScope,
  range: UserIdRange,
  since: Date | null,
): Promise<EqualUsers[]> => loadRange(dataSource, EQUAL_USERS, scope, range, since);

/** The state of the highest version that a user met. */
export interface PriorState {
  readonly version: number;
  readonly state: FlowState;
}

/**
 * Users who have the same state in the highest version that they met, and the same properties that
 * conditions look at.
 */
export interface EqualHighest {
  /** Both null for users who have none. */
  readonly version: number | null;
  /** As text. */
  readonly state: string | null;
  /**
   * The properties that conditions look at, as text; null where it is not known which they are, or
   * they are large.
   */
  readonly asked: string | null;
  /** How many they are. */
  readonly users: number;
  /** Who they are: a JSON array that `readMembers` reads. */
  readonly members: string;
}

/** One of several users who are equal. */
export interface Member {
  readonly userId: string;
  readonly identifier: string;
}

const UUID_LENGTH = 36;

/** Who the users are, by their ids. */
export const readMembers = (members: string): Member[] =>
  (JSON.parse(members) as string[])
    .sort()
    .map((text) => ({ userId: text.slice(0, UUID_LENGTH), identifier: text.slice(UUID_LENGTH) }));

/** Equal users of some, each by themselves. */
export const splitEqual = (rows: readonly EqualHighest[]): (EqualHighest & Member)[] =>
  rows.flatMap((row) =>
    readMembers(row.members).map((member) => ({
      ...row,
      ...member,
      users: 1,
      members: JSON.stringify([member.userId + member.identifier]),
    })),
  );

/**
 * Of the properties only those with the names of the parameter; in bytes, so that large ones are
 * read by their size elsewhere.
 */
const asked = (
  parameter: string,
): string => `(SELECT CASE WHEN pg_column_size(a.some) <= 1000 THEN a.some::text END FROM (
    SELECT coalesce(jsonb_object_agg(k, u.properties -> k), '{}') AS some FROM unnest(${parameter}::text[]) k WHERE u.properties ? k
  ) a)`;

/**
 * PostgreSQL puts equal users together, by the text of the state as in `EQUAL_USERS`: a million
 * users have some thousand states.
 */
const equalOf = (users: string): string => `
  SELECT version, state, asked, count(*)::int AS users, json_agg(user_id::text || identifier)::text AS members
  FROM (${users}) r GROUP BY version, state, asked`;

/**
 * Older states of the same user are left out by a lookup rather than by sorting, which would carry
 * all states to the disk.
 */
const highest = (from: string): string =>
  equalOf(`
  SELECT s.user_id, u.identifier, s.version, s.state::text COLLATE "C" AS state, u.asked COLLATE "C" AS asked
  ${from} AND (s.version = $6::int OR NOT EXISTS (
    SELECT 1 FROM flow_states n WHERE n.user_id = s.user_id AND n.flow = $1 AND n.version > s.version AND n.version <= $6::int
  ))`);
/** By whether properties are read. */
const HIGHEST = defineForms('met_0', highest, 'u.identifier, NULL::text AS asked');
const HIGHEST_ASKED = defineForms('met_1', highest, `u.identifier, ${asked('$7')} AS asked`);

/**
 * By rows rather than by their parts, which keeps PostgreSQL to one lookup in the primary key for
 * each user.
 */
const everybody = (told: string): string =>
  equalOf(`
  SELECT u.user_id, u.identifier, s.version, s.state::text COLLATE "C" AS state, ${told} COLLATE "C" AS asked
  FROM users u LEFT JOIN LATERAL (
    SELECT o.version, o.state FROM flow_states o
    WHERE o.user_id = u.user_id AND o.flow = $1
      AND (o.user_id, o.flow, o.version) >= (u.user_id, $1, 1) AND (o.user_id, o.flow, o.version) <= (u.user_id, $1, $3::int)
    ORDER BY o.user_id DESC, o.flow DESC, o.version DESC LIMIT 1
  ) s ON true
  WHERE u.user_id BETWEEN $4 AND $5 AND u.environment_id = $2`);

/**
 * Users of a range who have a state in one of the versions, with the highest; or `all` users, with
 * a state or without. `properties` are those that conditions look at: where there are none, or all
 * of them, none is listed.
 */
export async function loadHighestStates(
  dataSource: DataSource,
  scope: StateScope,
  range: UserIdRange,
  { all, properties }: { readonly all: boolean; readonly properties: readonly string[] | null },
): Promise<EqualHighest[]> {
  const named = properties?.length ? [properties] : [];
  const latest = scope.versions.at(-1) ?? 0;
  if (all)
    return dataSource.query(everybody(named.length > 0 ? asked('$6') : 'NULL::text'), [
      ...[scope.flow, scope.environmentId, latest],
      ...[range.from, range.to, ...named],
    ]);
  const forms = named.length > 0 ? HIGHEST_ASKED : HIGHEST;
  return loadRange(dataSource, forms, scope, range, latest, ...named);
}

const IN_VERSION = `
  SELECT DISTINCT ON (user_id) user_id AS "userId", version, state FROM flow_states
  WHERE user_id = ANY ($1::uuid[]) AND flow = $2 AND version BETWEEN $3 AND $4 ORDER BY user_id, version DESC`;

/** Where users are in a flow, in a version or the highest one below it (S28). */
export async function loadStatesOf(
  dataSource: DataSource,
  flow: string,
  version: number,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, PriorState>> {
  const values = [userIds, flow, Math.min(version, 1), version];
  const rows = (await dataSource.query(IN_VERSION, values)) as (PriorState & { userId: string })[];
  return new Map(rows.map(({ userId, ...prior }) => [userId, prior]));
}

export interface TimedEvent {
  readonly userId: string;
  readonly version: number;
  readonly revision: number;
  readonly at: number;
  readonly event: FlowEvent;
}

const EVENTS = `
  SELECT e.user_id AS "userId", e.version, e.revision, extract(epoch FROM e.at)::float8 * 1000 AS at, e.event
  FROM flow_events e
  WHERE e.user_id = ANY ($1::uuid[]) AND e.flow = $2 AND e.version = ANY ($3::int[])
  ORDER BY e.user_id, e.version, e.revision`;

/** The events of some users, by user and in their order. */
export const loadTimedEvents = (
  dataSource: DataSource,
  { flow, versions }: StateScope,
  userIds: readonly string[],
): Promise<TimedEvent[]> => dataSource.query(EVENTS, [userIds, flow, versions]);
