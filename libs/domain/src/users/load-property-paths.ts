import type { EntityManager } from 'typeorm';

/** Names that lead to a property, the outermost first: `['address', 'city']`. */
export type PropertyPath = readonly string[];

/** Enough to offer names to whoever writes a condition, and read in a moment. */
const LOOKED_AT = 1_000;
const BYTES = 4_194_304;
const DEEPEST = 4;
/** More than anybody reads: somebody has made a name for each of something. */
const MOST_PATHS = 2_000;

/** The lowest ids, which are hashes and so a fair choice (ADR 18), of all environments. */
const pathsIn = (table: string, id: string): string => `
  WITH RECURSIVE looked AS MATERIALIZED (
    SELECT properties FROM (
      SELECT properties, sum(pg_column_size(properties)) OVER (ORDER BY ${id}) AS bytes
      FROM (SELECT ${id}, properties FROM ${table} ORDER BY ${id} LIMIT ${LOOKED_AT}) lowest
    ) sized WHERE bytes <= ${BYTES}
  ), found (path, value) AS (
    SELECT ARRAY[name], value FROM looked CROSS JOIN LATERAL jsonb_each(properties) AS top (name, value)
    UNION ALL
    SELECT path || inner_name, inner_value FROM found CROSS JOIN LATERAL
      jsonb_each(CASE jsonb_typeof(value) WHEN 'object' THEN value ELSE '{}' END) AS deeper (inner_name, inner_value)
    WHERE cardinality(path) < ${DEEPEST}
  )
  SELECT path FROM (SELECT DISTINCT path FROM found LIMIT ${MOST_PATHS}) paths ORDER BY cardinality(path), path`;

/** The names of properties that users and groups have, those within objects too, by a sample. Never values. */
export async function loadPropertyPaths(manager: EntityManager): Promise<Record<'user' | 'group', PropertyPath[]>> {
  return { user: await look(manager, 'users', 'user_id'), group: await look(manager, 'groups', 'group_id') };
}

async function look(manager: EntityManager, table: string, id: string): Promise<PropertyPath[]> {
  const rows = (await manager.query(pathsIn(table, id))) as { path: string[] }[];
  return rows.map(({ path }) => path);
}
