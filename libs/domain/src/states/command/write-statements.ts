import { defineStatement, type Statement } from '../../database/statement.js';

const LOCK_USER = 'SELECT user_id FROM users WHERE user_id = $1 FOR KEY SHARE';

/** Inserts a state, unless another command did or the user is being deleted. */
const insertFrom = (user: string): string => `
  INSERT INTO flow_states (user_id, flow, version, revision, edition, state, recent_keys)
  SELECT u.user_id, $2, $3::int, $5::int, $6::int, $7::jsonb, $8::text[]
  FROM ${user} u WHERE $4::int = 0
  ON CONFLICT (user_id, flow, version) DO NOTHING RETURNING user_id`;
const INSERT_STATE = insertFrom(`(${LOCK_USER})`);

/** The next state, unless it is no longer the one that was read. */
const updateOf = (user: string, condition: string): string => `
  UPDATE flow_states s SET revision = $5::int, edition = $6::int, state = $7::jsonb, recent_keys = $8::text[], updated_at = now()
  ${user} WHERE ${condition} AND s.flow = $2 AND s.version = $3::int AND s.revision = $4::int RETURNING s.user_id`;
const UPDATE_STATE = updateOf('', 's.user_id = $1');

const EVENT_COLUMNS =
  'user_id, flow, version, revision, event, idempotency_key, group_identifier, origin';
const EFFECT_COLUMNS =
  'user_id, flow, version, revision, position, effect, group_identifier, chain, trace';

/** The key is that of the last requested event; the others come from a condition (Z1). */
const EVENTS = `
  INSERT INTO flow_events (${EVENT_COLUMNS})
  SELECT $1, $2, $3::int, $4::int + e.place, e.event::jsonb,
    CASE WHEN e.place = cardinality($9::text[]) - $13::int THEN $10::text END, $11::text,
    CASE WHEN e.place > cardinality($9::text[]) - $13::int THEN 'condition' ELSE $12::text END
  FROM state, unnest($9::text[]) WITH ORDINALITY AS e (event, place)`;

const EFFECTS = `
  INSERT INTO effects (${EFFECT_COLUMNS})
  SELECT $1, $2, $3::int, e.revision, e.position, e.effect::jsonb, $11::text, $17::int, $18::jsonb
  FROM state, unnest($14::int[], $15::int[], $16::text[]) AS e (revision, position, effect)`;

const DELAY_COLUMNS = 'user_id, flow, version, block, revision, due_at, group_identifier, trace';
/** One that waits anew is due anew (Z4). */
const DUE_ANEW = `ON CONFLICT (user_id, flow, version, block) DO UPDATE SET revision = excluded.revision,
    due_at = excluded.due_at, group_identifier = excluded.group_identifier, trace = excluded.trace`;
const delaysFrom = (blocks: string, times: string): string => `
  INSERT INTO delays (${DELAY_COLUMNS})
  SELECT $1, $2, $3::int, d.block, $5::int, to_timestamp(d.until / 1000), $11::text, $18::jsonb
  FROM state, unnest(${blocks}::text[], ${times}::float8[]) AS d (block, until)
  ${DUE_ANEW}`;

/**
 * State, events and effects in one statement and one commit; answers whether it was written (S6,
 * S19, S32). The statement is its whole transaction, nothing is written before it: that is why the
 * events of a state have growing places (E1).
 */
function writing(name: string, state: string, effects: boolean, delays = false): Statement {
  const parts = [
    `state AS (${state})`,
    `events AS (${EVENTS})`,
    ...(effects ? [`effected AS (${EFFECTS})`] : []),
    ...(delays ? [`delayed AS (${delaysFrom('$19', '$20')})`] : []),
  ];
  return defineStatement(
    name,
    `WITH ${parts.join(', ')} SELECT count(*)::int AS written FROM state`,
    'one',
  );
}

/** Locks the row of the user in the group of the flow, if it is still the one that was read. */
const LOCK_ATTENTION = `
  SELECT a.user_id FROM attention_states a
  WHERE a.user_id = $1 AND a."group" = $19 AND a.revision = $20::int FOR UPDATE`;
const LOCK_USER_AND_ATTENTION = `
  SELECT u.user_id FROM (${LOCK_USER}) u CROSS JOIN LATERAL (
    SELECT FROM attention_states a WHERE a.user_id = u.user_id AND a."group" = $19 AND a.revision = $20::int FOR UPDATE
  ) a`;

/** What happened in the group, once the state is written. */
const NOTE_ATTENTION = `
  UPDATE attention_states a SET revision = a.revision + 1, places = $21::jsonb, starts = $22::jsonb,
    ended_at = to_timestamp($23::float8 / 1000)
  FROM state WHERE a.user_id = state.user_id AND a."group" = $19`;

/**
 * As `WRITE_STATE` with effects, of a flow that begins or ends being in progress in a group: state
 * and group are written together or not at all. It locks the user where it makes a state, then the
 * row of the group, then the state (Q4).
 */
const writingInGroup = (name: string, locked: string, state: string, delays: boolean): Statement =>
  defineStatement(
    name,
    `WITH locked AS MATERIALIZED (${locked}), state AS (${state}), events AS (${EVENTS}), effected AS (${EFFECTS}),
       noted AS (${NOTE_ATTENTION})${delays ? `, delayed AS (${delaysFrom('$24', '$25')})` : ''}
     SELECT count(*)::int AS written FROM state`,
    'one',
  );
const inGroup = (suffix: string, delays: boolean) => ({
  insert: writingInGroup(
    `insert_flow_state_in_group${suffix}`,
    LOCK_USER_AND_ATTENTION,
    insertFrom('(SELECT user_id FROM locked)'),
    delays,
  ),
  update: writingInGroup(
    `update_flow_state_in_group${suffix}`,
    LOCK_ATTENTION,
    updateOf('FROM locked', 's.user_id = locked.user_id AND s.user_id = $1'),
    delays,
  ),
});
export const WRITE_IN_GROUP = inGroup('', false);
export const WRITE_IN_GROUP_WITH_DELAYS = inGroup('_with_delays', true);

/** Of one command by itself: it waits for a lock that another transaction holds. */
export const WRITE_STATE = {
  insert: writing('insert_flow_state', INSERT_STATE, false),
  insertWithEffects: writing('insert_flow_state_with_effects', INSERT_STATE, true),
  update: writing('update_flow_state', UPDATE_STATE, false),
  updateWithEffects: writing('update_flow_state_with_effects', UPDATE_STATE, true),
} as const;
/** The same of a flow in which delays wait now that did not before (Z4). */
export const WRITE_WITH_DELAYS = {
  insert: writing('insert_flow_state_with_delays', INSERT_STATE, true, true),
  update: writing('update_flow_state_with_delays', UPDATE_STATE, true, true),
} as const;

/** What is written of each state, from the rows called `row`. */
const STATE_COLUMNS = 'user_id, flow, version, revision, edition, state, recent_keys';
const NEXT_STATE = `INSERT INTO flow_states (${STATE_COLUMNS})
  SELECT user_id, flow, version, after, edition, state, keys`;

/**
 * States of many commands in one statement and one commit, each with its events and effects;
 * answers the places of those that were written (S6, S19, S32). A state that is no longer at the
 * revision that was read is left out, and so is one that another transaction has locked, and a new
 * one whose user is locked or gone: no row waits for its neighbours' locks. Only the insert of a
 * new state waits, for a transaction that inserts the same one just now; new states are inserted in
 * the order of their keys, so that two statements never wait for each other (R7). Existing states
 * are written by way of their conflict, which leaves the planner no choice but their key.
 */
export const WRITE_STATES = defineStatement(
  'write_flow_states',
  `WITH asked AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS row (place int, user_id uuid, flow text, version int, before int, after int,
      edition int, state jsonb, keys text[], events jsonb, key text, in_group text, origin text, unasked int, effects jsonb, chain int, trace jsonb)
  ), present AS MATERIALIZED (
    SELECT a.* FROM asked a
      CROSS JOIN LATERAL (SELECT FROM users u WHERE u.user_id = a.user_id FOR KEY SHARE SKIP LOCKED) u
    WHERE a.before = 0
  ), unmoved AS MATERIALIZED (
    SELECT a.* FROM asked a
      CROSS JOIN LATERAL (
        SELECT FROM flow_states s
        WHERE s.user_id = a.user_id AND s.flow = a.flow AND s.version = a.version AND s.revision = a.before
        FOR NO KEY UPDATE SKIP LOCKED
      ) s
    WHERE a.before > 0
  ), inserted AS (
    ${NEXT_STATE} FROM present ORDER BY user_id, flow, version
    ON CONFLICT (user_id, flow, version) DO NOTHING RETURNING user_id, flow, version
  ), updated AS (
    ${NEXT_STATE} FROM unmoved
    ON CONFLICT (user_id, flow, version) DO UPDATE SET revision = excluded.revision, edition = excluded.edition,
      state = excluded.state, recent_keys = excluded.recent_keys, updated_at = now() RETURNING user_id, flow, version
  ), written AS MATERIALIZED (
    SELECT a.* FROM asked a JOIN (SELECT * FROM inserted UNION ALL SELECT * FROM updated) w USING (user_id, flow, version)
  ), events AS (
    INSERT INTO flow_events (${EVENT_COLUMNS})
    SELECT w.user_id, w.flow, w.version, w.before + e.place, e.event,
      CASE WHEN w.before + e.place = w.after - coalesce(w.unasked, 0) THEN w.key END, w.in_group,
      CASE WHEN w.before + e.place > w.after - coalesce(w.unasked, 0) THEN 'condition' ELSE w.origin END
    FROM written w CROSS JOIN LATERAL jsonb_array_elements(w.events) WITH ORDINALITY AS e (event, place)
  ), effected AS (
    INSERT INTO effects (${EFFECT_COLUMNS})
    SELECT w.user_id, w.flow, w.version, e.revision, e.position, e.effect, w.in_group, w.chain, w.trace
    FROM written w CROSS JOIN LATERAL jsonb_to_recordset(w.effects) AS e (revision int, position int, effect jsonb)
  ) SELECT place FROM written`,
  'one',
);

/** The users among these who have a state in more newer versions than is said, or in fewer. */
export const FIND_CARRIED_OVER = defineStatement(
  'find_carried_over',
  `SELECT a.user_id FROM jsonb_to_recordset($1::jsonb) AS a (user_id uuid, flow text, version int, newer int)
   WHERE a.newer <> (
     SELECT count(*) FROM flow_states s WHERE s.user_id = a.user_id AND s.flow = a.flow AND s.version > a.version
   )`,
  'one',
);

/**
 * The same of one command in steps of one transaction, for tables that are distributed (G1): each
 * step names the user, so that it goes to the one server that has the user, and a server that is
 * lost stops only those whose rows it has (G4).
 */
export const WRITE_IN_STEPS = {
  insert: defineStatement('insert_flow_state_alone', INSERT_STATE),
  update: defineStatement('update_flow_state_alone', UPDATE_STATE),
  lockUser: defineStatement('lock_user', LOCK_USER),
  lockAttention: defineStatement(
    'lock_attention_state',
    'SELECT FROM attention_states WHERE user_id = $1 AND "group" = $2 AND revision = $3::int FOR UPDATE',
  ),
  lockSource: defineStatement(
    'lock_source_state',
    'SELECT FROM flow_states WHERE user_id = $1 AND flow = $2 AND version = $3::int AND revision = $4::int FOR SHARE',
  ),
  countNewer: defineStatement(
    'count_newer_states',
    'SELECT count(*)::int AS newer FROM flow_states WHERE user_id = $1 AND flow = $2 AND version > $3::int',
  ),
  noteAttention: defineStatement(
    'update_attention_state',
    `UPDATE attention_states SET revision = $3::int + 1, places = $4::jsonb, starts = $5::jsonb,
       ended_at = to_timestamp($6::float8 / 1000) WHERE user_id = $1 AND "group" = $2`,
  ),
  event: defineStatement(
    'insert_flow_event',
    `INSERT INTO flow_events (${EVENT_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
  ),
  delay: defineStatement(
    'insert_delay',
    `INSERT INTO delays (${DELAY_COLUMNS}) VALUES ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000), $7, $8) ${DUE_ANEW}`,
  ),
  effect: defineStatement(
    'insert_effect',
    `INSERT INTO effects (${EFFECT_COLUMNS}, id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
  ),
} as const;
