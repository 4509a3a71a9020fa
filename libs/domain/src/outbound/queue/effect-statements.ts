import { defineStatement, type Statement } from '../../database/statement.js';

/**
 * Long enough for the slowest webhook and its report; what is not reported by then is carried out
 * again.
 */
const LEASE = "interval '30 seconds'";

/**
 * Rows examined in a queue, and updated in all, by one claim: its cost does not depend on the
 * backlog. Without the limit on updates the planner would read whole partitions instead of looking
 * rows up.
 */
const LOOK = 100;

/**
 * Effects of one queue share the slots of a process: the host of webhooks, or an empty text for
 * triggers. Written as in the index.
 */
const QUEUE = (effect: string) =>
  `coalesce(lower(substring(${effect}.effect->>'url' from '^[^:]*:[/\\\\]*(?:[^/?#\\\\@]*@)?([^/?#\\\\]*)')), '')`;

const KEY = (table: string) =>
  `(${['user_id', 'flow', 'version', 'revision', 'position'].map((column) => `${table}.${column}`).join(', ')})`;

const SAME_STATE = (one: string, other: string) =>
  `${one}.user_id = ${other}.user_id AND ${one}.flow = ${other}.flow AND ${one}.version = ${other}.version`;

const BEFORE = (one: string, other: string) =>
  `(${one}.revision, ${one}.position) < (${other}.revision, ${other}.position)`;

const KIND = (effect: string) => `${effect}.effect->>'kind'`;

/** Scheme, host and port of a webhook, the usual port left out; an empty text for triggers. */
const RECEIVER = (effect: string) =>
  `coalesce(regexp_replace(lower(substring(${effect}.effect->>'url' from '^[^:]*')) || ':' || ${QUEUE(effect)}, '^(http:.*):80$|^(https:.*):443$', '\\1\\2'), '')`;

/** Effects of one state keep their order for each receiver, and triggers theirs (S19). */
const WAITS_FOR = (one: string, other: string) =>
  `${SAME_STATE(other, one)} AND ${BEFORE(other, one)} AND ${other}.failed_at IS NULL
   AND ${KIND(other)} = ${KIND(one)} AND ${RECEIVER(other)} = ${RECEIVER(one)}`;

/** The name of each queue by one look into the index, whatever waits in it. */
const QUEUES = `
  (SELECT ${QUEUE('e')} AS queue FROM effects e WHERE e.failed_at IS NULL ORDER BY 1 LIMIT 1)
  UNION ALL
  SELECT (SELECT ${QUEUE('e')} FROM effects e WHERE e.failed_at IS NULL AND ${QUEUE('e')} > q.queue ORDER BY 1 LIMIT 1)
  FROM queues q WHERE q.queue IS NOT NULL`;

/** The first that are due and not leased, in each queue that has room. */
const SEEN = `
  SELECT o.queue, o.room, e.* FROM (
    SELECT queue, $1::int - coalesce(($2::jsonb->>queue)::int, 0) AS room FROM queues WHERE queue IS NOT NULL
  ) o CROSS JOIN LATERAL (
    SELECT e.user_id, e.flow, e.version, e.revision, e.position, e.effect, e.next_attempt_at FROM effects e
    WHERE ${QUEUE('e')} = o.queue AND e.failed_at IS NULL AND e.next_attempt_at <= now()
    ORDER BY e.next_attempt_at LIMIT ${LOOK} FOR UPDATE SKIP LOCKED
  ) e WHERE o.room > 0`;

/**
 * What has to wait for another is put off by half its age, by ten minutes at most, and so costs no
 * claim for a while. What it waits for sets it due when it is over; should that ever be missed, it
 * is late by no more than that.
 */
const PUT_OFF = `
  UPDATE effects e SET next_attempt_at = now() + least(interval '10 minutes', greatest(interval '1 second', (now() - e.created_at) / 2))
  FROM (SELECT * FROM sorted WHERE waits LIMIT ${LOOK}) s WHERE ${KEY('e')} = ${KEY('s')} RETURNING e.id`;

const TAKE = `
  UPDATE effects e SET attempts = e.attempts + 1, next_attempt_at = now() + ${LEASE}
  FROM (SELECT * FROM ready WHERE place <= room ORDER BY place LIMIT ${LOOK}) r WHERE ${KEY('e')} = ${KEY('r')} RETURNING e.*, r.queue`;

/**
 * Claims up to $1 of each queue, less those of it that this process has in hand, $2. There is
 * always a row.
 */
export const CLAIM = defineStatement(
  'claim_effects',
  `WITH RECURSIVE queues AS (${QUEUES}),
     seen AS (${SEEN}),
     sorted AS (SELECT s.*, EXISTS (SELECT 1 FROM effects p WHERE ${WAITS_FOR('s', 'p')}) AS waits FROM seen s),
     put_off AS (${PUT_OFF}),
     ready AS (SELECT *, row_number() OVER (PARTITION BY queue ORDER BY next_attempt_at) AS place FROM sorted WHERE NOT waits),
     taken AS (${TAKE})
   SELECT (SELECT count(*)::int FROM put_off) AS "putOff", claimed.* FROM (VALUES (1)) AS always LEFT JOIN (
     SELECT t.user_id AS "userId", t.flow, t.version, t.revision, t.position, t.id, t.queue, t.effect,
            t.group_identifier AS "group", t.chain, t.trace, t.attempts, t.created_at AS "createdAt", now() AS now,
            array_remove(ARRAY[n.webhook_secret, CASE WHEN n.previous_webhook_secret_until > now() THEN n.previous_webhook_secret END], NULL) AS secrets,
            u.environment_id AS "environmentId", n.name AS environment, u.identifier AS "user", coalesce(v.definition->>'name', t.flow) AS "flowName"
     FROM taken t JOIN users u ON u.user_id = t.user_id JOIN environments n ON n.id = u.environment_id JOIN flow_versions v ON v.flow = t.flow AND v.version = t.version
   ) claimed ON true ORDER BY "createdAt", revision, position`,
  'one',
);

/**
 * The first that are due in the queues that $1 does not name, without locks; for tables that are
 * distributed (G1).
 */
export const FIND_DUE = defineStatement(
  'find_due_effects',
  `SELECT e.user_id AS "userId", e.flow, e.version, e.revision, e.position, e.id, ${QUEUE('e')} AS queue, e.effect,
     e.group_identifier AS "group", e.chain, e.trace, e.attempts, e.created_at AS "createdAt", now() AS now,
     array_remove(ARRAY[n.webhook_secret, CASE WHEN n.previous_webhook_secret_until > now() THEN n.previous_webhook_secret END], NULL) AS secrets,
     u.environment_id AS "environmentId", n.name AS environment, u.identifier AS "user", coalesce(v.definition->>'name', e.flow) AS "flowName",
     EXISTS (SELECT 1 FROM effects p WHERE ${WAITS_FOR('e', 'p')}) AS waits
   FROM effects e JOIN users u ON u.user_id = e.user_id JOIN environments n ON n.id = u.environment_id
     JOIN flow_versions v ON v.flow = e.flow AND v.version = e.version
   WHERE e.failed_at IS NULL AND e.next_attempt_at <= now() AND NOT (${QUEUE('e')} = ANY ($1::text[]))
   ORDER BY e.next_attempt_at LIMIT ${LOOK}`,
);

/** A report counts only for its own attempt: the lease may have ended before. */
const OWN = `user_id = $1 AND flow = $2 AND version = $3 AND revision = $4 AND position = $5 AND attempts = $6`;

/**
 * Sets the next one for the same receiver due, which waited for this one. Everything is a
 * parameter, so that it stays on the shard of the user (G1).
 */
const settling = (name: string, settle: string): Statement =>
  defineStatement(
    name,
    `WITH settled AS MATERIALIZED (${settle} WHERE ${OWN} RETURNING ${RECEIVER('effects')} AS receiver),
     next AS MATERIALIZED (
       SELECT n.revision, n.position FROM effects n CROSS JOIN settled s
       WHERE n.user_id = $1 AND n.flow = $2 AND n.version = $3 AND (n.revision, n.position) > ($4, $5) AND n.failed_at IS NULL
         AND ${RECEIVER('n')} = s.receiver
       ORDER BY n.revision, n.position LIMIT 1
     )
     UPDATE effects e SET next_attempt_at = now() FROM next n
     WHERE e.user_id = $1 AND e.flow = $2 AND e.version = $3 AND e.revision = n.revision AND e.position = n.position AND e.attempts = 0`,
  );

export const FINISH = settling('finish_effect', 'DELETE FROM effects');
export const FAIL = settling(
  'fail_effect',
  'UPDATE effects SET failed_at = now(), last_error = $7',
);

export const POSTPONE = defineStatement(
  'postpone_effect',
  `UPDATE effects SET last_error = $7, next_attempt_at = now() + $8::float8 * interval '1 second' WHERE ${OWN}`,
);

/** Of several workers that found it due, one gets it. */
const STILL_DUE = `${OWN} AND failed_at IS NULL AND next_attempt_at <= now()`;

export const TAKE_DUE = defineStatement(
  'take_due_effect',
  `UPDATE effects SET attempts = attempts + 1, next_attempt_at = now() + ${LEASE} WHERE ${STILL_DUE} RETURNING attempts`,
);
export const PUT_OFF_DUE = defineStatement(
  'put_off_due_effect',
  `UPDATE effects SET next_attempt_at = now() + $7::float8 * interval '1 second' WHERE ${STILL_DUE} RETURNING id`,
);

/** For the next worker at once: it may have arrived, but it has not failed. */
export const RELEASE = defineStatement(
  'release_effect',
  `UPDATE effects SET attempts = attempts - 1, next_attempt_at = now() WHERE ${OWN}`,
);
