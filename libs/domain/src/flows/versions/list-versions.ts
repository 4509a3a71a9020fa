import type { EntityManager } from 'typeorm';
import type { MigrationStrategy } from '../../engine/index.js';
import { unknownFlow } from './unknown.js';

interface ListedVersion {
  /** 0 is the draft. */
  readonly version: number;
  /** When it was committed; of the draft, when it was last changed. */
  readonly at: Date;
  /** Who committed it; null for the draft. */
  readonly by: string | null;
  readonly message: string | null;
  readonly migration: MigrationStrategy | null;
  /**
   * Users in progress whose highest version it is, over all environments; of the draft, those who
   * are in it.
   */
  readonly inProgress: number;
  /** Names of the environments where `latest` means it until it is unpinned (S34). */
  readonly pinnedIn: readonly string[];
}

const LIST = `
  WITH met AS (
    SELECT DISTINCT ON (user_id, version = 0) version, state FROM flow_states WHERE flow = $1
    ORDER BY user_id, version = 0, version DESC
  ), users AS (
    SELECT version, count(*)::int AS users FROM met
    WHERE state @> '{"started": true, "stopped": false, "finished": false}' GROUP BY version
  )
  SELECT v.version, CASE WHEN v.version = 0 THEN v.updated_at ELSE v.created_at END AS at, v.author AS by, v.message,
         CASE WHEN v.version > 0 THEN v.migration END AS migration, coalesce(u.users, 0) AS "inProgress",
         ARRAY(SELECT e.name::text FROM flow_pins p JOIN environments e ON e.id = p.environment_id
               WHERE p.flow = v.flow AND p.version = v.version ORDER BY e.name) AS "pinnedIn"
  FROM flow_versions v LEFT JOIN users u ON u.version = v.version WHERE v.flow = $1 ORDER BY v.version DESC`;

/**
 * Every version, the newest commit first and the draft last. Reads the states of the flow. Throws
 * `flow.unknown`.
 */
export async function listVersions(manager: EntityManager, flow: string): Promise<ListedVersion[]> {
  const versions = (await manager.query(LIST, [flow])) as ListedVersion[];
  if (versions.length === 0) throw unknownFlow(flow);
  return versions;
}
