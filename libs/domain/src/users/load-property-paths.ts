import type { EntityManager } from 'typeorm';
import { defineStatement, type Statement } from '../database/statement.js';
import { sampledProperties } from './sampled-properties.js';

/** Names that lead to a property, the outermost first: `['address', 'city']`. */
type PropertyPath = readonly string[];

/** Enough for completion in the condition editor, and cheap to read. */
const SAMPLE = { rows: 1_000, bytes: 4_194_304 };
/** More than people read: an application that makes up a name for each of its things. */
const MOST_PATHS = 2_000;

/** The names one level deeper; Citus takes no recursive query (G1). */
const deeper = (level: string, above: string): string => `
  ${level} AS MATERIALIZED (
    SELECT path || name AS path, inner_value AS value FROM ${above} CROSS JOIN LATERAL
      jsonb_each(CASE jsonb_typeof(value) WHEN 'object' THEN value ELSE '{}' END) AS deeper (name, inner_value)
  )`;

const pathsIn = (root: 'user' | 'group'): string => `
  WITH looked AS MATERIALIZED (${sampledProperties(root, SAMPLE)}),
  first AS MATERIALIZED (
    SELECT ARRAY[name] AS path, value FROM looked CROSS JOIN LATERAL jsonb_each(properties) AS top (name, value)
  ),
  ${deeper('second', 'first')}, ${deeper('third', 'second')}, ${deeper('fourth', 'third')}
  SELECT path FROM (
    SELECT DISTINCT path FROM (
      SELECT path FROM first UNION ALL SELECT path FROM second UNION ALL
      SELECT path FROM third UNION ALL SELECT path FROM fourth
    ) found LIMIT ${MOST_PATHS}
  ) paths ORDER BY cardinality(path), path`;

const PATHS = {
  user: defineStatement('load_user_property_paths', pathsIn('user')),
  group: defineStatement('load_group_property_paths', pathsIn('group')),
};

/**
 * The names of properties that users and groups have, those within objects too, by a sample. Never
 * values.
 */
export async function loadPropertyPaths(
  manager: EntityManager,
): Promise<Record<'user' | 'group', PropertyPath[]>> {
  return {
    user: await queryPaths(manager, PATHS.user),
    group: await queryPaths(manager, PATHS.group),
  };
}

async function queryPaths(manager: EntityManager, { text }: Statement): Promise<PropertyPath[]> {
  const rows = (await manager.query(text)) as { path: string[] }[];
  return rows.map(({ path }) => path);
}
