import { defineStatement, type Statement } from '../../database/statement.js';
import { groupsJson, subjectJson } from '../../users/subject-json.js';
import { eventsJson } from '../../users/load-events.js';
import type { StateQuery } from './found-state.js';

/**
 * The state of a user in what is requested, or else in the highest older commit (S28; version 0 has
 * no older ones). PostgreSQL starts an index scan at the columns that are compared by equality: with
 * the user alone it would scan the user's states in other flows on its way to this one.
 */
const stateOf = (
  user: string,
): string => `SELECT s.version, s.revision, s.edition, s.state, nullif(s.recent_keys, '{}') AS recent_keys FROM flow_states s
       WHERE s.user_id = ${user} AND s.flow = asked.flow
         AND (s.user_id, s.flow, s.version) >= (${user}, asked.flow, least(asked.version, 1))
         AND (s.user_id, s.flow, s.version) <= (${user}, asked.flow, asked.version)
       ORDER BY s.user_id DESC, s.flow DESC, s.version DESC LIMIT 1`;

/**
 * Whether expressions may look at user and group, given how far they may and in which version and
 * edition.
 */
const mayLook = (
  looks: string,
  version: string,
  edition: string,
): string => `coalesce(${looks} = 'always' OR ${looks} <> 'never' AND (
         s.version IS DISTINCT FROM ${version} OR s.edition <> ${edition}
         OR s.state @> '{"started": false, "stopped": false, "finished": false}'
         OR ${looks} = 'when-running' AND s.state @> '{"stopped": false, "finished": false}'), false)`;
const ASKED_LOOKS = mayLook('asked.looks', 'asked.version', 'asked.edition');

const NOW = 'floor(extract(epoch FROM now()) * 1000)::float8';

/**
 * What of the context of expressions a statement loads. PostgreSQL sets up each subselect of a plan
 * for each request, though it then runs none of them (P5, P16), hence a statement for each of
 * these.
 */
export type ContextScope = 'nothing' | 'user' | 'everything';

/** What the expressions of these queries may look at, at most. */
export function contextScope(all: readonly StateQuery[]): ContextScope {
  if (all.every(({ looks }) => looks === 'never')) return 'nothing';
  const isMore = ({ groupId, flow: { compiled } }: StateQuery) =>
    groupId !== null || compiled?.mentionsGroup || compiled?.events.length;
  return all.some(isMore) ? 'everything' : 'user';
}

/** A statement for each, whose name ends with its scope. */
function defineByScope(
  name: string,
  text: (scope: ContextScope) => string,
): Readonly<Record<ContextScope, Statement>> {
  const define = (scope: ContextScope, ending = `_seeing_${scope}`) =>
    defineStatement(`${name}${ending}`, text(scope), 'one');
  return { nothing: define('nothing'), user: define('user'), everything: define('everything', '') };
}

/** Of the rows with the same id that look, the first alone brings a subject. */
const onceFor = (id: string, subject: string): string =>
  `CASE WHEN found.looks AND row_number() OVER (PARTITION BY ${id}, found.looks ORDER BY asked.place) = 1 THEN (${subject}) END`;

const CONTEXT_OF_ROW = {
  nothing: [],
  user: [
    `${onceFor('asked.user_id', `SELECT ${subjectJson('u')} FROM users u WHERE u.user_id = asked.user_id`)} AS "user"`,
  ],
  everything: [
    `${onceFor('asked.group_id', `SELECT ${subjectJson('g')} FROM groups g WHERE g.group_id = asked.group_id`)} AS "group"`,
    `CASE WHEN found.looks AND asked.in_groups THEN ${groupsJson('asked.user_id')} END AS groups`,
    `CASE WHEN found.looks AND asked.events IS NOT NULL THEN ${eventsJson('asked.user_id', 'asked.events')} END AS events`,
  ],
};

/**
 * For each row asked for, by its place: the state of this version, or else of the highest older
 * commit, to migrate from (S28; version 0 has no older ones), and what expressions may look at,
 * where they can. No row at all: no such user. A read of a flow that was entered or left looks at
 * nothing; all groups of a user come with rows that ask for them (S33). Properties may be large:
 * those of a user, who may be requested in many flows, and of a group, which many users may share,
 * come with the first of their rows only. The limits and the comparison of rows keep PostgreSQL to
 * one lookup in the primary key for each row: by its parts, PostgreSQL 18 would look in another
 * index once for each version.
 */
export const LOAD_STATES = defineByScope(
  'load_flow_states',
  (
    scope,
  ) => `SELECT ${['asked.place', 'found.*', `${NOW} AS now`, ...upTo(scope, CONTEXT_OF_ROW)].join(', ')}
   FROM jsonb_to_recordset($1::jsonb)
     AS asked (place int, user_id uuid, flow text, version int, edition int, looks text, group_id uuid, in_groups boolean, events text[])
   CROSS JOIN LATERAL (
     SELECT s.version, s.revision, s.edition, s.state, s.recent_keys, ${ASKED_LOOKS} AS looks
     FROM users u LEFT JOIN LATERAL (${stateOf('asked.user_id')}) s ON true
     WHERE u.user_id = asked.user_id LIMIT 1
   ) found`,
);

const LOOKS = mayLook('$5', '$3::int', '$4::int');

/**
 * The same of one user, without groups: where tables are distributed it asks the one server that
 * has the user (G1).
 */
export const LOAD_STATE = defineStatement(
  'load_flow_state',
  `SELECT s.version, s.revision, s.edition, s.state, nullif(s.recent_keys, '{}') AS recent_keys, ${LOOKS} AS looks,
     ${NOW} AS now, CASE WHEN ${LOOKS} THEN ${subjectJson('u')} END AS "user"
   FROM users u LEFT JOIN flow_states s
     ON s.user_id = u.user_id AND s.flow = $2 AND s.version BETWEEN least($3::int, 1) AND $3::int
   WHERE u.user_id = $1 ORDER BY s.version DESC LIMIT 1`,
);

const CONTEXT_OF_LIST = {
  nothing: [],
  user: [
    `CASE WHEN found.is_first THEN (SELECT ${subjectJson('u')} FROM users u WHERE u.user_id = $1) END AS "user"`,
  ],
  everything: [
    `CASE WHEN found.is_first THEN (SELECT ${subjectJson('g')} FROM groups g WHERE g.group_id = $6) END AS "group"`,
    `CASE WHEN found.is_first AND $7::boolean THEN ${groupsJson('$1')} END AS groups`,
    `CASE WHEN found.is_first AND $8::text[] IS NOT NULL THEN ${eventsJson('$1', '$8::text[]')} END AS events`,
  ],
};

/** Of one user, who is found once: what is requested of `flows`, with the state in each. */
const statesOfUser = (arrays: string, names: string): string => `FROM users u
     CROSS JOIN unnest(${arrays}) WITH ORDINALITY AS asked (${names}, place)
     LEFT JOIN LATERAL (${stateOf('$1::uuid')}) s ON true`;

/**
 * The same of many flows of one user; what expressions may look at comes with the first row that
 * looks (B13). A list costs less than as many rows of the statement above, whose users may all
 * differ, and least where nothing looks: then it needs neither a sort nor how far each may look
 * (P16). The last three of eight parameters are those of groups and events, where they are loaded.
 */
export const LOAD_STATES_OF_USER = defineByScope('load_flow_states_of_user', (scope) =>
  scope === 'nothing'
    ? `SELECT asked.place::int - 1 AS place, s.*, CASE WHEN asked.place = 1 THEN ${NOW} END AS now
     ${statesOfUser('$2::text[], $3::int[]', 'flow, version')}
     WHERE u.user_id = $1`
    : `SELECT ${['found.*', `CASE WHEN found.place = 0 THEN ${NOW} END AS now`, ...upTo(scope, CONTEXT_OF_LIST)].join(', ')}
   FROM (
     SELECT asked.place::int - 1 AS place, s.*, look.looks,
       look.looks AND row_number() OVER (PARTITION BY look.looks ORDER BY asked.place) = 1 AS is_first
     ${statesOfUser('$2::text[], $3::int[], $4::int[], $5::text[]', 'flow, version, edition, looks')}
     CROSS JOIN LATERAL (SELECT ${ASKED_LOOKS} AS looks) look
     WHERE u.user_id = $1
   ) found`,
);

function upTo(
  scope: ContextScope,
  columns: Readonly<Record<ContextScope, readonly string[]>>,
): readonly string[] {
  const { user, everything } = columns;
  return scope === 'nothing' ? [] : scope === 'user' ? user : [...user, ...everything];
}
