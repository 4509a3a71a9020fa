import { defineStatement } from '../../database/statement.js';

/**
 * Long enough for a window that is answered in time; the process that delivers renews it before it
 * ends (E8).
 */
export const LEASE_MS = 30_000;
const LEASE = `interval '${LEASE_MS} milliseconds'`;

/**
 * Endpoints that are due and that no process delivers for; the holders of the leases in $1 have
 * given them up.
 */
export const CLAIM_ENDPOINTS = defineStatement(
  'claim_endpoints',
  `UPDATE endpoint_progress p SET lease_token = gen_random_uuid(), lease_until = now() + ${LEASE}
   FROM (
     SELECT q.endpoint_id FROM endpoint_progress q JOIN endpoints n ON n.id = q.endpoint_id
     WHERE n.paused_at IS NULL AND q.next_attempt_at <= now()
       AND (q.lease_until IS NULL OR q.lease_until <= now() OR q.lease_token = ANY ($1::uuid[]))
     FOR UPDATE OF q SKIP LOCKED
   ) free
   WHERE p.endpoint_id = free.endpoint_id RETURNING p.endpoint_id AS id, p.lease_token AS token`,
  'one',
);

/** All there is to know before a window, of an endpoint and the progress `p` of it. */
const leased = (progress: string, of = '') => `
  SELECT n.id, n.environment_id AS "environmentId", v.name AS environment, n.name, n.url, n.format, n.flows, n.types, n.headers,
    n.drafts, n.since, array_remove(ARRAY[n.secret, CASE WHEN n.previous_secret_until > now() THEN n.previous_secret END], NULL) AS secrets,
    n.paused_at IS NOT NULL AS "isPaused", p.place::text AS place, p.user_id AS "userId", p.flow, p.version, p.revision,
    p.open_window AS "openWindow", p.downs, p.set_aside_in_a_row AS "setAsideInARow",
    floor(extract(epoch FROM now()) * 1000)::float8 AS "nowMs"
  FROM ${progress} p JOIN endpoints n ON n.id = p.endpoint_id JOIN environments v ON v.id = n.environment_id ${of}`;

/** No row for a process that has lost its lease. */
export const LOAD_LEASED = defineStatement(
  'load_leased_endpoint',
  leased('endpoint_progress', 'WHERE p.endpoint_id = $1 AND p.lease_token = $2'),
);

export const RENEW_LEASE = defineStatement(
  'renew_endpoint_lease',
  `UPDATE endpoint_progress SET lease_until = now() + ${LEASE} WHERE endpoint_id = $1 AND lease_token = $2 RETURNING endpoint_id`,
);

/** For the next process, and not before $3 seconds are over. */
export const RELEASE_LEASE = defineStatement(
  'release_endpoint_lease',
  `UPDATE endpoint_progress SET lease_token = NULL, lease_until = NULL, next_attempt_at = now() + $3::float8 * interval '1 second'
   WHERE endpoint_id = $1 AND lease_token = $2`,
);

/**
 * What came of a window: the position where it is settled ($3 to $7, otherwise as it was) or what
 * is open of it ($8), and the events that were set aside ($9), of users who are still there. Only
 * for the process that holds the lease; what was done elsewhere, such as a replay, stays. Returns
 * the endpoint as it is now, so that the next window can begin at once.
 */
export const SAVE_WINDOW = defineStatement(
  'save_endpoint_window',
  `WITH saved AS (
     UPDATE endpoint_progress SET place = $3::bigint, user_id = $4::uuid, flow = $5, version = $6::int, revision = $7::int,
       open_window = $8::jsonb, downs = $10::int, set_aside_in_a_row = $11::int, waiting_since = $12::timestamptz,
       last_error = $13, last_success_at = CASE WHEN $14::boolean THEN now() ELSE last_success_at END,
       lease_until = now() + ${LEASE}
     WHERE endpoint_id = $1 AND lease_token = $2 RETURNING *
   ), aside AS (
     INSERT INTO endpoint_failures (endpoint_id, event_id, user_id, event, error)
     SELECT s.endpoint_id, f.id, u.user_id, f.event, f.error
     FROM saved s CROSS JOIN jsonb_to_recordset($9::jsonb) AS f (id uuid, user_id uuid, event jsonb, error text)
       JOIN LATERAL (SELECT u.user_id FROM users u WHERE u.user_id = f.user_id FOR KEY SHARE) u ON true
     ON CONFLICT (endpoint_id, event_id) DO UPDATE SET error = excluded.error, failed_at = now()
   ) ${leased('saved')}`,
  'one',
);

/** By the worker itself, with the reason (E8); a pause by an operator stays as it is. */
export const PAUSE_ENDPOINT = defineStatement(
  'pause_endpoint',
  'UPDATE endpoints SET paused_at = now(), pause_reason = $2 WHERE id = $1 AND paused_at IS NULL',
);

/** The progress of all endpoints, for the metrics of every replica (E10). */
export const LOAD_BACKLOGS = defineStatement(
  'load_endpoint_backlogs',
  `SELECT v.name AS environment, n.name AS endpoint,
     coalesce(extract(epoch FROM now() - p.waiting_since), 0)::float8 AS seconds
   FROM endpoint_progress p JOIN endpoints n ON n.id = p.endpoint_id JOIN environments v ON v.id = n.environment_id`,
);
