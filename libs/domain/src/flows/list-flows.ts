import type { EntityManager } from 'typeorm';
import { DomainError } from '../errors/index.js';
import { FlowVersion } from './flow-version.js';
import { Flow } from './flow.js';
import { raiseFlowsRevision } from './store-definition.js';

export interface ListedFlow {
  readonly flow: string;
  readonly name: string | null;
  /** Highest commit, null before the first. */
  readonly latest: number | null;
  readonly updatedAt: Date;
  readonly archived: boolean;
}

/** Every flow by identifier, archived ones too. */
export async function listFlows(manager: EntityManager): Promise<ListedFlow[]> {
  return (await manager.query(
    `SELECT f.flow, f.name, nullif(max(v.version), 0) AS latest, f.updated_at AS "updatedAt", f.archived_at IS NOT NULL AS archived
     FROM flows f JOIN flow_versions v ON v.flow = f.flow GROUP BY f.flow ORDER BY f.flow`,
  )) as ListedFlow[];
}

/** Archived flows too, since they can still be looked at. Throws `flow.unknown` or `version.unknown`. */
export async function loadFlowVersion(manager: EntityManager, flow: string, version: number): Promise<FlowVersion> {
  const found = await manager.findOneBy(FlowVersion, { flow, version });
  if (found) return found;
  if (!(await manager.existsBy(Flow, { flow }))) throw unknownFlow(flow);
  throw new DomainError('version.unknown', `flow ${flow} has no version ${version}`);
}

/** The highest commit; null before the first. Throws `flow.unknown`. */
export async function loadLatestVersion(manager: EntityManager, flow: string): Promise<number | null> {
  if (!(await manager.existsBy(Flow, { flow }))) throw unknownFlow(flow);
  return (await manager.maximum(FlowVersion, 'version', { flow })) || null;
}

/** Hides the flow from clients until its file is applied again (B12). Throws `flow.unknown`. */
export async function archiveFlow(manager: EntityManager, flow: string): Promise<void> {
  const { affected } = await manager.update(Flow, { flow }, { archivedAt: () => 'coalesce(archived_at, now())' });
  if (!affected) throw unknownFlow(flow);
  await raiseFlowsRevision(manager);
}

function unknownFlow(flow: string): DomainError {
  return new DomainError('flow.unknown', `there is no flow ${JSON.stringify(flow)}`);
}
