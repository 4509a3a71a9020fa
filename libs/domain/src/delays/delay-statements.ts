import { defineStatement } from '../database/statement.js';

/**
 * Long enough for a command that waits for others; what is not settled by then is looked at again.
 */
const LEASE = "interval '30 seconds'";

/**
 * Rows of one claim. Without a limit the planner would read whole partitions instead of looking
 * rows up.
 */
export const MOST = 100;

const KEY = (table: string) =>
  `(${['user_id', 'flow', 'version', 'block'].map((column) => `${table}.${column}`).join(', ')})`;

const FOUND = `d.user_id AS "userId", d.flow, d.version, d.block, d.revision, d.group_identifier AS "group", d.trace,
     u.environment_id AS "environmentId", n.name AS environment, u.identifier AS "user",
     ARRAY(SELECT s.version FROM flow_states s WHERE s.user_id = d.user_id AND s.flow = d.flow AND s.version > 0) AS versions`;
const OWNERS =
  'JOIN users u ON u.user_id = d.user_id JOIN environments n ON n.id = u.environment_id';

/** Takes what has been due the longest and is in nobody's hands. */
export const CLAIM_DELAYS = defineStatement(
  'claim_delays',
  `WITH due AS MATERIALIZED (
     SELECT d.user_id, d.flow, d.version, d.block FROM delays d WHERE d.due_at <= now()
     ORDER BY d.due_at LIMIT ${MOST} FOR UPDATE SKIP LOCKED
   ), d AS (
     UPDATE delays d SET due_at = now() + ${LEASE} FROM due WHERE ${KEY('d')} = ${KEY('due')} RETURNING d.*
   )
   SELECT ${FOUND} FROM d ${OWNERS}`,
  'one',
);

/**
 * Deletes those that wait no longer, and sets the others to when they are due, unless a later state
 * of the user wrote them. Another transaction that has one locked writes it, or has claimed it
 * after the lease: it is left alone.
 */
export const SETTLE_DELAYS = defineStatement(
  'settle_delays',
  `WITH own AS MATERIALIZED (
     SELECT a.* FROM jsonb_to_recordset($1::jsonb) AS a (user_id uuid, flow text, version int, block text, revision int, due_at float8, pause float8)
     CROSS JOIN LATERAL (
       SELECT FROM delays d WHERE ${KEY('d')} = ${KEY('a')} AND d.revision = a.revision FOR UPDATE SKIP LOCKED
     ) d LIMIT ${MOST}
   ), settled AS (
     DELETE FROM delays d USING own WHERE ${KEY('d')} = ${KEY('own')} AND own.due_at IS NULL AND own.pause IS NULL
   )
   UPDATE delays d SET due_at = coalesce(to_timestamp(own.due_at / 1000), now() + own.pause * interval '1 second')
   FROM own WHERE ${KEY('d')} = ${KEY('own')} AND (own.due_at IS NOT NULL OR own.pause IS NOT NULL)`,
  'one',
);

/** The same in steps that name the user, for tables that are distributed (G1). */
export const FIND_DUE_DELAYS = defineStatement(
  'find_due_delays',
  `SELECT ${FOUND} FROM delays d ${OWNERS} WHERE d.due_at <= now() ORDER BY d.due_at LIMIT ${MOST}`,
);
const OWN =
  'user_id = $1 AND flow = $2 AND version = $3::int AND block = $4 AND revision = $5::int';
/** Of several workers that found it due, one gets it. */
export const TAKE_DUE_DELAY = defineStatement(
  'take_due_delay',
  `UPDATE delays SET due_at = now() + ${LEASE} WHERE ${OWN} AND due_at <= now() RETURNING block`,
);
export const DELETE_DELAY = defineStatement('delete_delay', `DELETE FROM delays WHERE ${OWN}`);
export const SET_DELAY = defineStatement(
  'set_delay',
  `UPDATE delays SET due_at = to_timestamp($6::float8 / 1000) WHERE ${OWN}`,
);
export const PUT_DELAY_OFF = defineStatement(
  'put_delay_off',
  `UPDATE delays SET due_at = now() + $6::float8 * interval '1 second' WHERE ${OWN}`,
);

/** More are not counted: what is wrong is known by then, and counting must not take long. */
const MOST_COUNTED = 100_000;

export const LOAD_DUE_DELAYS = defineStatement(
  'load_due_delays',
  `WITH due AS MATERIALIZED (
     SELECT environment_id, count(*)::int AS due, min(due_at) AS oldest FROM (
       SELECT u.environment_id, d.due_at FROM delays d JOIN users u ON u.user_id = d.user_id
       WHERE d.due_at <= now() LIMIT ${MOST_COUNTED}
     ) counted GROUP BY 1
   )
   SELECT n.name AS environment, coalesce(w.due, 0) AS due,
     coalesce(extract(epoch FROM now() - w.oldest), 0)::float8 AS "oldestSeconds"
   FROM environments n LEFT JOIN due w ON w.environment_id = n.id`,
);
