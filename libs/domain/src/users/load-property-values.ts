import type { EntityManager } from 'typeorm';
import type { Json } from '../targeting/json/json.js';

const LOOKED_AT = 1_000;
const BYTES = 4_194_304;
const MOST = 20;
const LONGEST = 100;

const valuesIn = (table: string, id: string): string => `
  WITH looked AS MATERIALIZED (
    SELECT properties #> $1::text[] AS value FROM (
      SELECT properties, sum(pg_column_size(properties)) OVER (ORDER BY ${id}) AS bytes
      FROM (SELECT ${id}, properties FROM ${table} ORDER BY ${id} LIMIT ${LOOKED_AT}) lowest
    ) sized WHERE bytes <= ${BYTES}
  ), single AS MATERIALIZED (
    SELECT member AS value FROM looked l CROSS JOIN LATERAL
      jsonb_array_elements(CASE jsonb_typeof(l.value) WHEN 'array' THEN l.value ELSE jsonb_build_array(l.value) END) AS m (member)
    WHERE l.value IS NOT NULL
  )
  SELECT value FROM single
  WHERE jsonb_typeof(value) IN ('string', 'number', 'boolean') AND length(value::text) <= ${LONGEST}
  GROUP BY value ORDER BY count(*) DESC, value LIMIT ${MOST}`;

/**
 * The values that a property has most often, among those of up to 1,000 users or groups; of lists, their members. For
 * whoever writes a condition (T15).
 */
export async function loadPropertyValues(
  manager: EntityManager,
  root: 'user' | 'group',
  path: readonly string[],
): Promise<Json[]> {
  const sql = valuesIn(`${root}s`, `${root}_id`);
  const rows = (await manager.query(sql, [path])) as { value: Json }[];
  return rows.map(({ value }) => value);
}
