import type { DataSource, EntityManager } from 'typeorm';
import { type Author, recordChange } from '../../database/audit/index.js';
import { type FlowDefinition, partsOf } from '../../engine/index.js';
import { invalidRequest } from '../../database/errors/index.js';
import { loadFlowVersion, loadUncommitted, lockFlow } from '../versions/load-version.js';
import { withPresentSegments } from '../shared-files/segment.js';
import { storeDefinition } from '../draft/store-definition.js';

/**
 * Makes a committed version the draft again, with its text and the uids that its blocks had;
 * answers whether the draft differed. Nothing is committed. Segments mean what they mean now (Z6).
 * Throws `flow.unknown`, for archived flows too, `version.unknown`, and `definition.refused` where
 * a segment is gone.
 */
export function revertFlow(
  dataSource: DataSource,
  flow: string,
  version: number,
  author: Author,
): Promise<boolean> {
  return recordChange(dataSource, { action: 'flow.revert' }, author, async (manager, notes) => {
    if (version === 0)
      throw invalidRequest('version 0 is the draft itself; revert to a committed version, from 1');
    await lockFlow(manager, flow);
    await loadUncommitted(manager, flow);
    const before = await loadFlowVersion(manager, flow, version);
    Object.assign(notes, { subject: flow, result: { version } });
    await releaseIdentifiers(manager, before.definition);
    const [definition] = await withPresentSegments(manager, [before.definition]);
    return storeDefinition(manager, definition!, before.source);
  });
}

/**
 * Blocks that have taken over an identifier since lose it: what is called so later again is a new
 * block (F3).
 */
async function releaseIdentifiers(
  manager: EntityManager,
  definition: FlowDefinition,
): Promise<void> {
  const owners = partsOf(definition);
  await manager.query(
    `UPDATE block_uids b SET identifier = '~' || b.uid FROM unnest($2::text[], $3::text[]) o (uid, identifier)
     WHERE b.flow = $1 AND b.identifier = o.identifier AND b.uid <> o.uid
       AND (b.type, b.container_uid) = (SELECT k.type, k.container_uid FROM block_uids k WHERE k.uid = o.uid)`,
    [definition.flow, owners.map(({ uid }) => uid), owners.map(({ id }) => id)],
  );
}
