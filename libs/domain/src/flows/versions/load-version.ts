import type { EntityManager } from 'typeorm';
import type { FlowDefinition } from '../../engine/index.js';
import { FlowVersion, Flow } from './flow-version.js';
import { archivedFlow, unknownFlow, unknownVersion } from './unknown.js';

/**
 * Archived flows too, since they can still be looked at. Throws `flow.unknown` or
 * `version.unknown`.
 */
export async function loadFlowVersion(
  manager: EntityManager,
  flow: string,
  version: number,
): Promise<FlowVersion> {
  const found = await manager.findOneBy(FlowVersion, { flow, version });
  if (found) return found;
  if (!(await manager.existsBy(Flow, { flow }))) throw unknownFlow(flow);
  throw unknownVersion(flow, version);
}

/** The highest commit; null before the first. Throws `flow.unknown`. */
export async function loadLatestVersion(
  manager: EntityManager,
  flow: string,
): Promise<number | null> {
  if (!(await manager.existsBy(Flow, { flow }))) throw unknownFlow(flow);
  return (await manager.maximum(FlowVersion, 'version', { flow })) || null;
}

/**
 * Version 0, which can be committed unless the flow is archived. Throws `flow.unknown` for both.
 */
export async function loadUncommitted(
  manager: EntityManager,
  flow: string,
): Promise<FlowDefinition> {
  const found = await manager.findOne(FlowVersion, {
    where: { flow, version: 0 },
    relations: { of: true },
  });
  if (!found) throw unknownFlow(flow);
  if (found.of!.archivedAt) throw archivedFlow(flow);
  return found.definition;
}

/** Makes other changes of the flow wait until this transaction ends. */
export async function lockFlow(manager: EntityManager, flow: string): Promise<void> {
  await manager.findOne(Flow, { where: { flow }, lock: { mode: 'pessimistic_write' } });
}
