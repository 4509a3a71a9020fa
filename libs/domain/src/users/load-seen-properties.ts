import type { EntityManager } from 'typeorm';
import { defineStatement, type Statement } from '../database/statement.js';
import { sampledProperties } from './sampled-properties.js';

/** Names of properties or events, and how many users or groups were looked at for them. */
interface SeenProperties {
  readonly names: ReadonlySet<string>;
  readonly lookedAt: number;
}

/**
 * Users that are looked at, and bytes of what is stored of them: enough to recognize a misspelt
 * name, read in a moment.
 */
const SAMPLE = { rows: 10_000, bytes: 33_554_432 };
/**
 * An application that derives property names from data has more; then none can be called unknown.
 */
const MOST_NAMES = 10_000;

const seenIn = (root: 'user' | 'group'): string => `
  WITH looked AS MATERIALIZED (${sampledProperties(root, SAMPLE)})
  SELECT (SELECT count(*)::int FROM looked) AS "lookedAt", coalesce((SELECT json_agg(name) FROM (
    SELECT DISTINCT name FROM looked CROSS JOIN LATERAL jsonb_object_keys(properties) AS name LIMIT ${MOST_NAMES + 1}
  ) names), '[]') AS names`;

const SEEN = {
  user: defineStatement('load_seen_user_properties', seenIn('user')),
  group: defineStatement('load_seen_group_properties', seenIn('group')),
};

const SEEN_EVENTS = defineStatement(
  'load_seen_events',
  `WITH looked AS MATERIALIZED (SELECT names FROM tracked_users ORDER BY user_id LIMIT ${SAMPLE.rows})
   SELECT (SELECT count(*)::int FROM looked) AS "lookedAt", coalesce((SELECT json_agg(name) FROM (
     SELECT DISTINCT name FROM looked CROSS JOIN LATERAL unnest(names) AS name LIMIT ${MOST_NAMES + 1}
   ) names), '[]') AS names`,
);

/** The names of what users did, by a sample of those who did anything (Z2). */
export const loadSeenEvents = (manager: EntityManager): Promise<SeenProperties> =>
  queryProperties(manager, SEEN_EVENTS);

/**
 * Which properties users and groups have, by a sample. `lookedAt` is 0 where nothing can be said.
 */
export async function loadSeenProperties(
  manager: EntityManager,
): Promise<Record<'user' | 'group', SeenProperties>> {
  return {
    user: await queryProperties(manager, SEEN.user),
    group: await queryProperties(manager, SEEN.group),
  };
}

async function queryProperties(
  manager: EntityManager,
  { text }: Statement,
): Promise<SeenProperties> {
  const [row] = (await manager.query(text)) as [{ lookedAt: number; names: string[] }];
  const isWhole = row.names.length <= MOST_NAMES;
  return { names: new Set(row.names), lookedAt: isWhole ? row.lookedAt : 0 };
}
