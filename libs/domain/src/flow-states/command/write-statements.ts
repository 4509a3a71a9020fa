import { defineStatement, type Statement } from '../../database/statement.js';

/** A new state, unless somebody else made it or the user is being deleted. */
const INSERT_STATE = `
  INSERT INTO flow_states (user_id, flow, version, revision, edition, state, recent_keys)
  SELECT u.user_id, $2, $3::int, $5::int, $6::int, $7::jsonb, $8::text[]
  FROM (SELECT user_id FROM users WHERE user_id = $1 FOR KEY SHARE) u WHERE $4::int = 0
  ON CONFLICT (user_id, flow, version) DO NOTHING RETURNING user_id`;

/** The next state, unless it is no longer the one that was read. */
const UPDATE_STATE = `
  UPDATE flow_states SET revision = $5::int, edition = $6::int, state = $7::jsonb, recent_keys = $8::text[], updated_at = now()
  WHERE user_id = $1 AND flow = $2 AND version = $3::int AND revision = $4::int RETURNING user_id`;

const EVENTS = `
  INSERT INTO flow_events (user_id, flow, version, revision, event, idempotency_key, group_identifier, origin)
  SELECT $1, $2, $3::int, $4::int + e.place, e.event::jsonb, CASE WHEN e.place = cardinality($9::text[]) THEN $10::text END,
    $11::text, $12::text
  FROM state, unnest($9::text[]) WITH ORDINALITY AS e (event, place)`;

const EFFECTS = `
  INSERT INTO effects (user_id, flow, version, revision, position, effect, group_identifier, chain, trace)
  SELECT $1, $2, $3::int, e.revision, e.position, e.effect::jsonb, $11::text, $16::int, $17::jsonb
  FROM state, unnest($13::int[], $14::int[], $15::text[]) AS e (revision, position, effect)`;

/**
 * State, events and effects in one statement and one commit; answers whether it was written (S6, S19, S32). The statement
 * is its whole transaction, nothing is written before it: that is why the events of a state have growing places (E1).
 */
function writing(name: string, state: string, effects: boolean): Statement {
  const parts = [`state AS (${state})`, `events AS (${EVENTS})`, ...(effects ? [`effected AS (${EFFECTS})`] : [])];
  return defineStatement(name, `WITH ${parts.join(', ')} SELECT count(*)::int AS written FROM state`);
}

export const WRITE_STATE = {
  insert: writing('insert_flow_state', INSERT_STATE, false),
  insertWithEffects: writing('insert_flow_state_with_effects', INSERT_STATE, true),
  update: writing('update_flow_state', UPDATE_STATE, false),
  updateWithEffects: writing('update_flow_state_with_effects', UPDATE_STATE, true),
} as const;
