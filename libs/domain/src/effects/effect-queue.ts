import type { Database } from '../database/database.js';
import { defineStatement, type Statement } from '../database/statement.js';
import type { ClaimedEffect } from './claimed-effect.js';

/** Long enough for the slowest webhook and its report; what is not reported by then is carried out again. */
const LEASE_SECONDS = 30;

const SAME_STATE = (other: string, one: string) =>
  `${other}.user_id = ${one}.user_id AND ${other}.flow = ${one}.flow AND ${other}.version = ${one}.version
   AND ${other}.failed_at IS NULL`;

/** Effects of one kind of one state go one after the other. */
const SAME_LANE = (other: string, one: string) =>
  `${SAME_STATE(other, one)} AND ${other}.effect->>'kind' = ${one}.effect->>'kind'`;

/** Effects of one state go in their order (S19), but what has failed once is waited for by its own kind only (ADR 5). */
const WAITED_FOR = (other: string, one: string) =>
  `${SAME_STATE(other, one)} AND (${other}.effect->>'kind' = ${one}.effect->>'kind' OR ${other}.last_error IS NULL)`;

const KEY = (table: string) =>
  `(${['user_id', 'flow', 'version', 'revision', 'position'].map((c) => `${table}.${c}`).join(', ')})`;

const CLAIM = defineStatement(
  'claim_effects',
  `WITH due AS (
     SELECT e.user_id, e.flow, e.version, e.revision, e.position FROM effects e
     WHERE e.failed_at IS NULL AND e.next_attempt_at <= now() AND NOT EXISTS (
       SELECT FROM effects p WHERE ${WAITED_FOR('p', 'e')} AND (p.revision, p.position) < (e.revision, e.position))
     ORDER BY e.next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED
   ), claimed AS (
     UPDATE effects e SET attempts = e.attempts + 1, next_attempt_at = now() + interval '${LEASE_SECONDS} seconds'
     FROM due d WHERE ${KEY('e')} = ${KEY('d')} RETURNING e.*
   )
   SELECT c.user_id AS "userId", c.flow, c.version, c.revision, c.position, c.id, c.effect, c.group_identifier AS "group",
          c.chain, c.attempts, c.created_at AS "createdAt", now() AS now, u.environment_id AS "environmentId",
          u.identifier AS "user", coalesce(v.definition->>'name', c.flow) AS "flowName"
   FROM claimed c JOIN users u ON u.user_id = c.user_id JOIN flow_versions v ON v.flow = c.flow AND v.version = c.version
   ORDER BY c.created_at, c.revision, c.position`,
);

/** A report counts only for the attempt it tells of: a lease may have ended meanwhile. */
const OWN = `user_id = $1 AND flow = $2 AND version = $3 AND revision = $4 AND position = $5 AND attempts = $6`;

/** Those behind in the lane, none of which was ever tried, wait exactly as long as the one before them. */
const settling = (name: string, settle: string, until: string): Statement =>
  defineStatement(
    name,
    `WITH settled AS (${settle} WHERE ${OWN} RETURNING user_id, flow, version, revision, position, effect)
     UPDATE effects e SET next_attempt_at = ${until} FROM settled s
     WHERE ${SAME_LANE('e', 's')} AND (e.revision, e.position) > (s.revision, s.position) AND e.attempts = 0`,
  );

const FINISH = settling('finish_effect', 'DELETE FROM effects', 'now()');
const FAIL = settling('fail_effect', 'UPDATE effects SET failed_at = now(), last_error = $7', 'now()');
const LATER = `now() + $8::float8 * interval '1 second'`;
const POSTPONE = settling('postpone_effect', `UPDATE effects SET last_error = $7, next_attempt_at = ${LATER}`, LATER);

/** The effects that wait in the database, shared by every replica. */
export class EffectQueue {
  constructor(private readonly database: Database) {}

  /** At most `count` effects that are due, with none before them that they wait for, and held by nobody. */
  claim(count: number): Promise<ClaimedEffect[]> {
    return this.database.run<ClaimedEffect & Record<string, unknown>>(CLAIM, [count]);
  }

  async finish(effect: ClaimedEffect): Promise<void> {
    await this.database.run(FINISH, ownOf(effect));
  }

  async postpone(effect: ClaimedEffect, error: string, seconds: number): Promise<void> {
    await this.database.run(POSTPONE, [...ownOf(effect), error, seconds]);
  }

  /** Kept for the operator, who can have it tried again. */
  async fail(effect: ClaimedEffect, error: string): Promise<void> {
    await this.database.run(FAIL, [...ownOf(effect), error]);
  }
}

const ownOf = ({ userId, flow, version, revision, position, attempts }: ClaimedEffect): unknown[] => [
  userId,
  flow,
  version,
  revision,
  position,
  attempts,
];
