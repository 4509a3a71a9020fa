import type { EntityManager } from 'typeorm';
import { defineStatement, type Statement } from '../database/statement.js';

/** Names of properties, and how many users or groups were looked at for them. */
export interface SeenProperties {
  readonly names: ReadonlySet<string>;
  readonly lookedAt: number;
}

/** Users that are looked at, and bytes of what is stored of them: enough to tell a misspelt name, read in a moment. */
const LOOKED_AT = 10_000;
const BYTES = 33_554_432;
/** An application that derives property names from data has more; then none can be called unknown. */
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

const SEEN = {
  user: defineStatement('load_seen_user_properties', seenIn('users', 'user_id')),
  group: defineStatement('load_seen_group_properties', seenIn('groups', 'group_id')),
};

/** Which properties users and groups have, by a sample. `lookedAt` is 0 where nothing can be said. */
export async function loadSeenProperties(
  manager: EntityManager,
): Promise<Record<'user' | 'group', SeenProperties>> {
  return {
    user: await look(manager, SEEN.user),
    group: await look(manager, SEEN.group),
  };
}

async function look(manager: EntityManager, { text }: Statement): Promise<SeenProperties> {
  const [row] = (await manager.query(text)) as [{ lookedAt: number; names: string[] }];
  const isTold = row.names.length <= MOST_NAMES;
  return { names: new Set(row.names), lookedAt: isTold ? row.lookedAt : 0 };
}
