import type { EntityManager } from 'typeorm';
import { raiseRevision } from '../../database/index.js';
import type { FlowDefinition } from '../../engine/index.js';
import { refuseAboveLevel } from '../versions/engine-level.js';
import { Flow } from '../versions/flow-version.js';

/**
 * Creates the flow or brings it back from the archive (B12), and locks it until the transaction
 * ends.
 */
export async function claimFlow(
  manager: EntityManager,
  flow: string,
  name: string | null,
): Promise<void> {
  await manager.query(
    `INSERT INTO flows (flow, name) VALUES ($1, $2)
     ON CONFLICT (flow) DO UPDATE SET name = excluded.name, archived_at = NULL`,
    [flow, name],
  );
}

/**
 * Writes version 0, with the text it was read from (T6), and remembers its uids. The edition rises
 * only where the definition differs (S27); answers whether it does. Throws `definition.refused`
 * (Z0).
 */
export async function storeDefinition(
  manager: EntityManager,
  definition: FlowDefinition,
  source: string | null = null,
): Promise<boolean> {
  const { flow, name = null } = definition;
  await refuseAboveLevel(manager, definition);
  await claimFlow(manager, flow, name);
  const changed = (await manager.query(
    `INSERT INTO flow_versions AS v (flow, version, definition) VALUES ($1, 0, $2)
     ON CONFLICT (flow, version) DO UPDATE SET definition = excluded.definition, edition = v.edition + 1, updated_at = excluded.updated_at
     WHERE v.definition <> excluded.definition RETURNING edition`,
    [flow, JSON.stringify(definition)],
  )) as unknown[];
  await manager.query(
    'UPDATE flow_versions SET source = $2 WHERE flow = $1 AND version = 0 AND source IS DISTINCT FROM $2',
    [flow, source],
  );
  if (changed.length > 0) await manager.update(Flow, flow, { updatedAt: () => 'now()' });
  await storeUids(manager, definition);
  await raiseRevision(manager, 'flows');
  return changed.length > 0;
}

/** A uid that is known already has been renamed at most (F3). */
async function storeUids(manager: EntityManager, { flow, blocks }: FlowDefinition): Promise<void> {
  const owners = blocks.flatMap((block) => [
    { ...block, container: '' },
    ...('items' in block ? block.items.map((item) => ({ ...item, container: block.uid })) : []),
  ]);
  await manager.query(
    `INSERT INTO block_uids (flow, uid, identifier, type, container_uid)
     SELECT $1, b.* FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) b
     ON CONFLICT (uid) DO UPDATE SET identifier = excluded.identifier WHERE block_uids.identifier <> excluded.identifier`,
    [
      flow,
      owners.map((o) => o.uid),
      owners.map((o) => o.id),
      owners.map((o) => o.type),
      owners.map((o) => o.container),
    ],
  );
}
