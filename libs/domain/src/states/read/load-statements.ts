import { defineStatement } from '../../database/statement.js';
import { groupsJson, subjectJson } from '../../users/subject-json.js';
import { eventsJson } from '../../users/load-events.js';

/** The state of a user in what is requested, or else in the highest older commit (S28; version 0 has no older ones). */
const stateOf = (
  user: string,
): string => `SELECT s.version, s.revision, s.edition, s.state, nullif(s.recent_keys, '{}') AS recent_keys FROM flow_states s
       WHERE s.user_id = ${user}
         AND (s.user_id, s.flow, s.version) >= (${user}, asked.flow, least(asked.version, 1))
         AND (s.user_id, s.flow, s.version) <= (${user}, asked.flow, asked.version)
       ORDER BY s.user_id DESC, s.flow DESC, s.version DESC LIMIT 1`;

/** Whether expressions may look at user and group, given how far they may and in which version and edition. */
const mayLook = (
  looks: string,
  version: string,
  edition: string,
): string => `coalesce(${looks} = 'always' OR ${looks} = 'when-fresh' AND (
         s.version IS DISTINCT FROM ${version} OR s.edition <> ${edition}
         OR s.state @> '{"started": false, "stopped": false, "finished": false}'), false)`;
const ASKED_LOOKS = mayLook('asked.looks', 'asked.version', 'asked.edition');

const NOW = 'floor(extract(epoch FROM now()) * 1000)::float8';

/**
 * For each row asked for, by its place: the state of this version, or else of the highest older commit, to migrate from
 * (S28; version 0 has no older ones), and what expressions may look at, where they can. No row at all: no such user.
 * A read of a flow that was entered or left looks at nothing; all groups of a user come with rows that ask for them (S33).
 * Properties may be large: those of a user, who may be asked about in many flows, and of a group, which many users may
 * share, come with the first of their rows only. The limits and the comparison of rows keep PostgreSQL to one lookup in
 * the primary key for each row: by its parts, PostgreSQL 18 would look in another index once for each version.
 */
export const LOAD_STATES = defineStatement(
  'load_flow_states',
  `SELECT asked.place, found.*, ${NOW} AS now,
       CASE WHEN found.looks AND row_number() OVER (PARTITION BY asked.user_id, found.looks ORDER BY asked.place) = 1
     THEN (SELECT ${subjectJson('u')} FROM users u WHERE u.user_id = asked.user_id) END AS "user",
       CASE WHEN found.looks AND row_number() OVER (PARTITION BY asked.group_id, found.looks ORDER BY asked.place) = 1
     THEN (SELECT ${subjectJson('g')} FROM groups g WHERE g.group_id = asked.group_id) END AS "group",
       CASE WHEN found.looks AND asked.in_groups THEN ${groupsJson('asked.user_id')} END AS groups,
       CASE WHEN found.looks AND asked.events IS NOT NULL THEN ${eventsJson('asked.user_id', 'asked.events')} END AS events
   FROM jsonb_to_recordset($1::jsonb)
     AS asked (place int, user_id uuid, flow text, version int, edition int, looks text, group_id uuid, in_groups boolean, events text[])
   CROSS JOIN LATERAL (
     SELECT s.version, s.revision, s.edition, s.state, s.recent_keys, ${ASKED_LOOKS} AS looks
     FROM users u LEFT JOIN LATERAL (${stateOf('asked.user_id')}) s ON true
     WHERE u.user_id = asked.user_id LIMIT 1
   ) found`,
  'one',
);

const LOOKS = mayLook('$5', '$3::int', '$4::int');

/** The same of one user, without groups: where tables are distributed it asks the one server that has the user (G1). */
export const LOAD_STATE = defineStatement(
  'load_flow_state',
  `SELECT s.version, s.revision, s.edition, s.state, nullif(s.recent_keys, '{}') AS recent_keys, ${LOOKS} AS looks,
     ${NOW} AS now, CASE WHEN ${LOOKS} THEN ${subjectJson('u')} END AS "user"
   FROM users u LEFT JOIN flow_states s
     ON s.user_id = u.user_id AND s.flow = $2 AND s.version BETWEEN least($3::int, 1) AND $3::int
   WHERE u.user_id = $1 ORDER BY s.version DESC LIMIT 1`,
);

/**
 * The same of many flows of one user, who is found once; what expressions may look at comes with the first row that looks
 * (B13). A list costs less than as many rows of the statement above, whose users may all differ (P16).
 */
export const LOAD_STATES_OF_USER = defineStatement(
  'load_flow_states_of_user',
  `SELECT found.*,
     CASE WHEN found.place = 0 THEN ${NOW} END AS now,
     CASE WHEN found.is_first THEN (SELECT ${subjectJson('u')} FROM users u WHERE u.user_id = $1) END AS "user",
     CASE WHEN found.is_first THEN (SELECT ${subjectJson('g')} FROM groups g WHERE g.group_id = $2) END AS "group",
     CASE WHEN found.is_first AND $3::boolean THEN ${groupsJson('$1')} END AS groups,
     CASE WHEN found.is_first AND $8::text[] IS NOT NULL THEN ${eventsJson('$1', '$8::text[]')} END AS events
   FROM (
     SELECT asked.place::int - 1 AS place, s.*, look.looks,
       look.looks AND row_number() OVER (PARTITION BY look.looks ORDER BY asked.place) = 1 AS is_first
     FROM users u
     CROSS JOIN unnest($4::text[], $5::int[], $6::int[], $7::text[]) WITH ORDINALITY AS asked (flow, version, edition, looks, place)
     LEFT JOIN LATERAL (${stateOf('$1::uuid')}) s ON true
     CROSS JOIN LATERAL (SELECT ${ASKED_LOOKS} AS looks) look
     WHERE u.user_id = $1
   ) found`,
  'one',
);
