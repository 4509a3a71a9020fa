import type { EntityManager } from 'typeorm';
import type { Json } from '../targeting/json/json.js';
import { sampledProperties } from './sampled-properties.js';

const SAMPLE = { rows: 1_000, bytes: 4_194_304 };
const MOST = 20;
const LONGEST = 100;

const valuesIn = (root: 'user' | 'group'): string => `
  WITH looked AS MATERIALIZED (
    ${sampledProperties(root, SAMPLE, 'properties #> $1::text[] AS value')}
  ), single AS MATERIALIZED (
    SELECT member AS value FROM looked l CROSS JOIN LATERAL
      jsonb_array_elements(CASE jsonb_typeof(l.value) WHEN 'array' THEN l.value ELSE jsonb_build_array(l.value) END) AS m (member)
    WHERE l.value IS NOT NULL
  )
  SELECT value FROM single
  WHERE jsonb_typeof(value) IN ('string', 'number', 'boolean') AND length(value::text) <= ${LONGEST}
  GROUP BY value ORDER BY count(*) DESC, value LIMIT ${MOST}`;

/**
 * The values that a property has most often, among those of up to 1,000 users or groups; of lists,
 * their members. They complete conditions as they are written (T15).
 */
export async function loadPropertyValues(
  manager: EntityManager,
  root: 'user' | 'group',
  path: readonly string[],
): Promise<Json[]> {
  const rows = (await manager.query(valuesIn(root), [path])) as { value: Json }[];
  return rows.map(({ value }) => value);
}
