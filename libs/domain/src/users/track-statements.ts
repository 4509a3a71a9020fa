import type { RunStatement } from '../database/database.js';
import { defineStatement } from '../database/statement.js';
import { namesOf, type UserTrack } from './track-rows.js';

/** Ids of a user that are remembered. */
const REMEMBERED = 64;

/**
 * A user who is there stays as they are, and is locked: two writes of one user take turns, and a
 * deletion waits or is waited for.
 */
const LOCK = 'ON CONFLICT (user_id) DO UPDATE SET identifier = excluded.identifier WHERE false';
const ADD =
  'ON CONFLICT (user_id, name) DO UPDATE SET count = e.count + excluded.count, last_at = greatest(e.last_at, excluded.last_at)';

const NEW_IDS = `ARRAY(SELECT id FROM unnest(excluded.counted_ids) WITH ORDINALITY AS new (id, place)
  WHERE id <> ALL (t.recent_ids) ORDER BY place)`;

/**
 * What many users did, in one statement and one commit. Users come first, each waiting for the one
 * before by counting, so that no two statements can deadlock, identifies included (U4): these lock
 * users in the same order, and nothing of what follows. The row of the user, once locked, says
 * which ids are new.
 */
export const TRACK = defineStatement(
  'track_events',
  `WITH known AS (
    INSERT INTO users (user_id, environment_id, identifier)
    SELECT s, e, i FROM jsonb_to_recordset($1::jsonb) AS row (s uuid, e uuid, i text) ${LOCK} RETURNING 1
  ), seen AS (
    INSERT INTO tracked_users AS t (user_id, names, recent_ids, counted_ids)
    SELECT u, n, i[greatest(1, cardinality(i) - ${REMEMBERED - 1}):], i
    FROM jsonb_to_recordset($2::jsonb) AS row (u uuid, n text[], i text[]) WHERE (SELECT count(*) FROM known) >= 0
    ON CONFLICT (user_id) DO UPDATE SET
      names = t.names || ARRAY(SELECT name FROM unnest(excluded.names) name WHERE name <> ALL (t.names)),
      recent_ids = (
        SELECT ids[greatest(1, cardinality(ids) - ${REMEMBERED - 1}):] FROM (SELECT t.recent_ids || ${NEW_IDS} AS ids) joined
      ),
      counted_ids = ${NEW_IDS}
    WHERE cardinality(excluded.counted_ids) > 0 OR NOT excluded.names <@ t.names
    RETURNING user_id, counted_ids
  )
  INSERT INTO user_events AS e (user_id, name, count)
  SELECT a.u, a.n, sum(a.c) FROM jsonb_to_recordset($3::jsonb) AS a (u uuid, n text, i text, c int)
    LEFT JOIN seen s ON s.user_id = a.u
  WHERE a.i IS NULL OR a.i = ANY (s.counted_ids) GROUP BY a.u, a.n ORDER BY a.u, a.n
  ${ADD}`,
  'one',
);

/** The parameters of `TRACK`. */
export const trackValues = (users: readonly UserTrack[]): string[] => [
  JSON.stringify(
    users.map(({ key, environmentId, identifier }) => ({
      s: key,
      e: environmentId,
      i: identifier,
    })),
  ),
  JSON.stringify(users.map((user) => ({ u: user.key, n: namesOf(user), i: [...user.ids.keys()] }))),
  JSON.stringify(
    users.flatMap(({ key, counts, ids }) => [
      ...[...counts].map(([n, c]) => ({ u: key, n, c })),
      ...[...ids].map(([i, n]) => ({ u: key, n, i, c: 1 })),
    ]),
  ),
];

const STEPS = {
  lockUser: defineStatement(
    'insert_or_lock_user',
    `INSERT INTO users (user_id, environment_id, identifier) VALUES ($1, $2, $3) ${LOCK}`,
  ),
  load: defineStatement(
    'load_tracked_user',
    'SELECT names, recent_ids AS ids FROM tracked_users WHERE user_id = $1',
  ),
  save: defineStatement(
    'save_tracked_user',
    `INSERT INTO tracked_users (user_id, names, recent_ids, counted_ids) VALUES ($1, $2, $3, $4)
     ON CONFLICT (user_id) DO UPDATE SET names = excluded.names, recent_ids = excluded.recent_ids, counted_ids = excluded.counted_ids`,
  ),
  add: defineStatement(
    'add_user_event',
    `INSERT INTO user_events AS e (user_id, name, count) VALUES ($1, $2, $3) ${ADD}`,
  ),
};

/**
 * The same of one user in steps of a transaction, for tables that are distributed: each goes to the
 * server that has the user (G1).
 */
export async function trackInSteps(run: RunStatement, user: UserTrack): Promise<void> {
  const { key, environmentId, identifier, counts, ids } = user;
  await run(STEPS.lockUser, [key, environmentId, identifier]);
  const [known] = await run<{ names: string[]; ids: string[] }>(STEPS.load, [key]);
  const recent = known?.ids ?? [];
  const counted = [...ids].filter(([id]) => !recent.includes(id));
  const names = [...new Set([...(known?.names ?? []), ...namesOf(user)])];
  const countedIds = counted.map(([id]) => id);
  await run(STEPS.save, [key, names, [...recent, ...countedIds].slice(-REMEMBERED), countedIds]);
  const sums = new Map(counts);
  for (const [, name] of counted) sums.set(name, (sums.get(name) ?? 0) + 1);
  for (const [name, count] of [...sums].sort()) await run(STEPS.add, [key, name, count]);
}
