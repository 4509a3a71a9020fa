import type { EntityManager } from 'typeorm';
import { Flow } from './flow.js';
import { raiseFlowsRevision } from './store-definition.js';
import { unknownFlow } from './unknown.js';

/** Hides the flow from clients until its file is applied again (B12). Throws `flow.unknown`. */
export async function archiveFlow(manager: EntityManager, flow: string): Promise<void> {
  const { affected } = await manager.update(Flow, { flow }, { archivedAt: () => 'coalesce(archived_at, now())' });
  if (!affected) throw unknownFlow(flow);
  await raiseFlowsRevision(manager);
}
