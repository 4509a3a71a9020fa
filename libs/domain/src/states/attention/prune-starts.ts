import type { DataSource } from 'typeorm';

const BATCH = 1_000;

/**
 * A batch behind a row ($1, $2); answers its last row, none at the end. A raised revision makes
 * writes read the row again.
 */
const PRUNE = `
  WITH batch AS MATERIALIZED (
    SELECT a.user_id, a."group",
      least($4::float8, extract(epoch FROM now())::float8 * 1000 - (g.rules -> 'limit' ->> 'per')::float8) AS since
    FROM attention_states a LEFT JOIN attention_groups g ON g.name = a."group"
    WHERE (a.user_id, a."group") > ($1::uuid, $2::text) ORDER BY a.user_id, a."group" LIMIT ${BATCH}
  ), own AS MATERIALIZED (
    SELECT b.* FROM batch b JOIN users u ON u.user_id = b.user_id WHERE u.environment_id = $3
  ), pruned AS (
    UPDATE attention_states a SET revision = a.revision + 1,
      starts = (SELECT coalesce(jsonb_agg(s ORDER BY s), '[]') FROM jsonb_array_elements(a.starts) s WHERE s::float8 >= o.since)
    FROM own o WHERE a.user_id = o.user_id AND a."group" = o."group" AND (a.starts ->> 0)::float8 < o.since
  )
  SELECT user_id, "group" FROM batch ORDER BY user_id, "group" OFFSET ${BATCH - 1}`;

/**
 * Deletes starts in attention groups that are older than that time, but for those that a limit
 * still counts (Q7).
 */
export async function pruneStarts(
  dataSource: DataSource,
  environmentId: string,
  before: Date,
): Promise<void> {
  type Last = { user_id: string; group: string };
  let last: Last | undefined = { user_id: '00000000-0000-0000-0000-000000000000', group: '' };
  while (last) {
    const values: unknown[] = [last.user_id, last.group, environmentId, before.getTime()];
    [last] = await dataSource.query<(Last | undefined)[]>(PRUNE, values);
  }
}
