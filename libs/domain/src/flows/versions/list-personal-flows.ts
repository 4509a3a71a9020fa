import type { EntityManager } from 'typeorm';
import { type FlowDefinition, insertedProperties } from '../../engine/index.js';

/**
 * Flows whose texts show properties of users, in the version that `latest` is in an environment, by
 * identifier (Z5); archived ones show nothing.
 */
export async function listPersonalFlows(
  manager: EntityManager,
  environmentId: string,
): Promise<string[]> {
  const rows = await manager.query<{ flow: string; definition: FlowDefinition }[]>(
    `SELECT f.flow, v.definition FROM flows f
     LEFT JOIN flow_pins p ON p.flow = f.flow AND p.environment_id = $1
     JOIN environments e ON e.id = $1
     JOIN flow_versions v ON v.flow = f.flow
       AND v.version = coalesce(p.version, (SELECT max(h.version) FROM flow_versions h WHERE h.flow = f.flow))
     WHERE f.archived_at IS NULL AND v.version > 0 AND (p.version IS NOT NULL OR NOT e.releases_by_pin) AND (v.definition ->> 'format')::int > 1
       AND jsonb_path_exists(v.definition, '$.**.parts[*].path')
     ORDER BY f.flow`,
    [environmentId],
  );
  // The body of a webhook may have such members too.
  const found = rows.filter(({ definition }) => insertedProperties(definition).length > 0);
  return found.map(({ flow }) => flow);
}
