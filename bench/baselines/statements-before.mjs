// The statements as they were before they had a form that Citus takes too, at their last commit
// d1afb6d. What was added to them since for other reasons is in both.

const upsert = (table, key, rows, after = '') => `
  INSERT INTO ${table} (${key}, environment_id, identifier, properties)
  SELECT s, e, i, p FROM jsonb_to_recordset(${rows}::jsonb) AS row (s uuid, e uuid, i text, p jsonb) ${after}
  ON CONFLICT (${key}) DO UPDATE
    SET properties = ${table}.properties || excluded.properties, updated_at = clock_timestamp()`;

const KEY = (of) => `(${of}.user_id, ${of}.flow, ${of}.version, ${of}.revision, ${of}.position)`;
const SAME_STATE = (one, other) =>
  `${one}.user_id = ${other}.user_id AND ${one}.flow = ${other}.flow AND ${one}.version = ${other}.version`;
const BEFORE = (one, other) =>
  `(${one}.revision, ${one}.position) < (${other}.revision, ${other}.position)`;
const SAME_KIND = (one, other) => `${one}.effect->>'kind' = ${other}.effect->>'kind'`;

export const STATEMENTS_BEFORE = {
  identify_users: upsert('users', 'user_id', '$1'),
  identify_with_groups: `
    WITH written_users AS (${upsert('users', 'user_id', '$1')} RETURNING 1),
    written_groups AS (${upsert('groups', 'group_id', '$2', 'WHERE (SELECT count(*) FROM written_users) >= 0')} RETURNING 1)
    INSERT INTO memberships (user_id, group_id)
    SELECT u, g FROM jsonb_to_recordset($3::jsonb) AS row (u uuid, g uuid) WHERE (SELECT count(*) FROM written_groups) >= 0
    ON CONFLICT (user_id, group_id) DO NOTHING`,
  load_watched_changes: `
    SELECT s.revision, s.edition, CASE WHEN s.revision <> w.shown OR w.resend THEN s.state END AS state,
      (SELECT array_agg(DISTINCT c.change->>'block') FILTER (WHERE c.change ? 'block')
         FROM flow_events e CROSS JOIN LATERAL jsonb_array_elements(e.event->'changes') AS c (change)
        WHERE e.user_id = w.user_id AND e.flow = w.flow AND e.version = w.version
          AND e.revision > w.shown AND e.revision <= s.revision) AS touched
    FROM unnest($1::uuid[], $2::text[], $3::int[], $4::int[], $5::boolean[]) WITH ORDINALITY
      AS w (user_id, flow, version, shown, resend, place)
    LEFT JOIN flow_states s ON s.user_id = w.user_id AND s.flow = w.flow AND s.version = w.version
    ORDER BY w.place`,
  postpone_effect: `
    WITH settled AS (
      UPDATE effects SET last_error = $7, next_attempt_at = now() + $8::float8 * interval '1 second'
      WHERE user_id = $1 AND flow = $2 AND version = $3 AND revision = $4 AND position = $5 AND attempts = $6
      RETURNING user_id, flow, version, revision, position, effect),
    freed AS (
      SELECT n.*, EXISTS (SELECT FROM effects p WHERE ${SAME_STATE('p', 'n')} AND ${BEFORE('p', 'n')} AND p.failed_at IS NULL
        AND (${SAME_KIND('p', 'n')} OR p.last_error IS NULL) AND ${KEY('p')} <> ${KEY('s')}) AS waits
      FROM settled s CROSS JOIN LATERAL (
        SELECT n.user_id, n.flow, n.version, n.revision, n.position, n.effect FROM effects n
        WHERE ${SAME_STATE('n', 's')} AND ${BEFORE('s', 'n')} AND n.failed_at IS NULL
        ORDER BY n.revision, n.position LIMIT 2
      ) n WHERE NOT ${SAME_KIND('n', 's')}
    )
    UPDATE effects e SET next_attempt_at = now() FROM freed f WHERE NOT f.waits AND ${KEY('e')} = ${KEY('f')} AND e.attempts = 0`,
};
