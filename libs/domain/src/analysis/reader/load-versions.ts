import { Between, type EntityManager } from 'typeorm';
import type { FlowDefinition, MigrationStrategy } from '../../engine/index.js';
import { DomainError } from '../../database/errors/index.js';
import { FlowVersion, loadFlowVersion, loadLatestIn } from '../../flows/index.js';
import type { StateScope } from './load-states.js';

interface LoadedVersions {
  readonly version: number | 'all';
  /** At least one, in the order of their versions. */
  readonly definitions: readonly {
    readonly version: number;
    readonly definition: FlowDefinition;
  }[];
  /** All states in these versions. */
  readonly scope: StateScope;
  /** How users came into the versions that have one before them (S28). */
  readonly strategies: readonly MigrationStrategy[];
}

/**
 * What a report is about; `latest` is what the environment pins, where it does (S34). Throws
 * `flow.unknown` and `version.unknown`.
 */
export async function loadReportedVersions(
  manager: EntityManager,
  environmentId: string,
  { flow, version }: { readonly flow: string; readonly version?: number | 'all' },
): Promise<LoadedVersions> {
  const { latest } = await loadLatestIn(manager, environmentId, flow);
  const wanted = version ?? latest ?? 0;
  const found =
    wanted === 'all'
      ? await loadAll(manager, flow)
      : [await loadFlowVersion(manager, flow, wanted)];
  const versions = found.map((one) => one.version);
  const strategies = found.filter((one) => one.version > 1).map(({ migration }) => migration);
  return {
    version: wanted,
    definitions: found,
    scope: { environmentId, flow, versions },
    strategies,
  };
}

async function loadAll(manager: EntityManager, flow: string): Promise<FlowVersion[]> {
  const all = await manager.find(FlowVersion, { where: { flow }, order: { version: 'ASC' } });
  const committed = all.filter(({ version }) => version > 0);
  if (committed.length === 0)
    throw new DomainError('version.unknown', `flow ${flow} has no committed version yet`);
  return committed;
}

/** Commits of a flow up to one, the latest first. */
export const loadVersionsUpTo = (
  manager: EntityManager,
  flow: string,
  version: number,
): Promise<FlowVersion[]> =>
  manager.find(FlowVersion, {
    where: { flow, version: Between(1, version) },
    order: { version: 'DESC' },
  });
