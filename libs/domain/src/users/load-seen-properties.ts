import type { EntityManager } from 'typeorm';

/** Names of properties, and how many users or groups were looked at for them. */
export interface SeenProperties {
  readonly names: ReadonlySet<string>;
  readonly lookedAt: number;
}

/** Users that are looked at, and bytes of what is stored of them: enough to tell a misspelt name, read in a moment. */
const LOOKED_AT = 10_000;
const BYTES = 33_554_432;
/** Whoever makes a name for each of something has more, and then nothing can be said of any. */
const MOST_NAMES = 10_000;

/** The lowest ids, which are hashes and so a fair choice (ADR 18), of all environments. */
const seenIn = (table: string, id: string): string => `
  WITH looked AS MATERIALIZED (
    SELECT properties FROM (
      SELECT properties, sum(pg_column_size(properties)) OVER (ORDER BY ${id}) AS bytes
      FROM (SELECT ${id}, properties FROM ${table} ORDER BY ${id} LIMIT ${LOOKED_AT}) lowest
    ) sized WHERE bytes <= ${BYTES}
  )
  SELECT (SELECT count(*)::int FROM looked) AS "lookedAt", coalesce((SELECT json_agg(name) FROM (
    SELECT DISTINCT name FROM looked CROSS JOIN LATERAL jsonb_object_keys(properties) AS name LIMIT ${MOST_NAMES + 1}
  ) names), '[]') AS names`;

/** Which properties users and groups have, by a sample. `lookedAt` is 0 where nothing can be said. */
export async function loadSeenProperties(manager: EntityManager): Promise<Record<'user' | 'group', SeenProperties>> {
  return { user: await look(manager, 'users', 'user_id'), group: await look(manager, 'groups', 'group_id') };
}

async function look(manager: EntityManager, table: string, id: string): Promise<SeenProperties> {
  const [row] = (await manager.query(seenIn(table, id))) as [{ lookedAt: number; names: string[] }];
  const isTold = row.names.length <= MOST_NAMES;
  return { names: new Set(row.names), lookedAt: isTold ? row.lookedAt : 0 };
}
