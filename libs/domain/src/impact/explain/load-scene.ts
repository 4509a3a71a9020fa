import { Between, type DataSource, type EntityManager } from 'typeorm';
import { compile, type Context } from '../../engine/index.js';
import type { StoredState } from '../../flow-states/read/flow-state-reader.js';
import { FlowEventRow } from '../../flow-states/state/flow-event-row.js';
import { FlowStateRow } from '../../flow-states/state/flow-state-row.js';
import {
  Flow,
  type FlowVersion,
  loadFlowVersion,
  loadLatestIn,
  type LatestVersion,
  type ResolvedFlow,
} from '../../flows/index.js';
import { groupId, userId } from '../../users/index.js';
import { loadContext, loadNow } from '../pages/load-contexts.js';
import type { RecordedEvent } from './biography.js';

export interface ExplainInput {
  readonly flow: string;
  readonly user: string;
  /** The one that the application passes as `groupIdentifier`; without it, the user's groups count (S33). */
  readonly group?: string;
  /** The one that `latest` is when left out. */
  readonly version?: number;
}

/** Everything that decides what one user sees of a flow. */
export interface Scene extends LatestVersion {
  readonly flow: ResolvedFlow;
  readonly isArchived: boolean;
  /** Null for a user who was never identified. */
  readonly context: Context | null;
  /** Of this version, or of the older one that it is migrated from (S28). */
  readonly stored: StoredState | null;
  /** The highest version above this one in which the user has a state. */
  readonly newer: number | null;
  /** Of every version up to this one, oldest first. */
  readonly events: readonly RecordedEvent[];
}

/** Reads the database once for all. Throws `flow.unknown` and `version.unknown`. */
export async function loadScene(dataSource: DataSource, environmentId: string, input: ExplainInput): Promise<Scene> {
  const { manager } = dataSource;
  const latest = await loadLatestIn(manager, environmentId, input.flow);
  const found = await loadFlowVersion(manager, input.flow, input.version ?? latest.latest ?? 0);
  const { archivedAt } = await manager.findOneByOrFail(Flow, { flow: input.flow });
  const id = userId(environmentId, input.user);
  const group = input.group === undefined ? null : { identifier: input.group, groupId: groupId(environmentId, input.group) };
  return {
    flow: resolve(found),
    isArchived: archivedAt !== null,
    ...latest,
    context: await loadContext(dataSource, id, group, await loadNow(dataSource)),
    ...(await loadStates(manager, id, found)),
    events: await loadEvents(manager, id, found),
  };
}

function resolve({ flow, version, edition, migration, definition }: FlowVersion): ResolvedFlow {
  return { flow, version, edition, strategy: migration, compiled: compile(definition) };
}

/** Version 0 has no older ones (S28). */
const versionsUpTo = (version: number) => Between(Math.min(version, 1), version);

async function loadStates(
  manager: EntityManager,
  user: string,
  { flow, version }: FlowVersion,
): Promise<Pick<Scene, 'stored' | 'newer'>> {
  const order = { version: 'DESC' } as const;
  const stored = await manager.findOne(FlowStateRow, { where: { userId: user, flow, version: versionsUpTo(version) }, order });
  const highest = version === 0 ? null : await manager.maximum(FlowStateRow, 'version', { userId: user, flow });
  return { stored, newer: highest !== null && highest > version ? highest : null };
}

async function loadEvents(manager: EntityManager, user: string, { flow, version }: FlowVersion): Promise<RecordedEvent[]> {
  const where = { userId: user, flow, version: versionsUpTo(version) };
  const rows = await manager.find(FlowEventRow, { where, order: { version: 'ASC', revision: 'ASC' } });
  return rows.map((row) => ({ version: row.version, at: row.at, event: row.event, origin: row.origin }));
}
