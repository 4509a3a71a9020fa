import { Between, type DataSource, type EntityManager, MoreThan } from 'typeorm';
import { type Context, spokenNamesOf } from '../../engine/index.js';
import type { StoredState } from '../../states/read/flow-state-reader.js';
import { FlowEventRow } from '../../states/state/flow-event-row.js';
import { FlowStateRow } from '../../states/state/flow-state-row.js';
import {
  Flow,
  type FlowVersion,
  loadFlowVersion,
  loadLatestIn,
  type LatestVersion,
  type ResolvedFlow,
  resolveFlow,
} from '../../flows/index.js';
import { groupId, userId } from '../../users/index.js';
import { loadContext, loadNow } from '../reader/load-contexts.js';
import { findUndone, type Restore, Timeline } from '../reader/timeline.js';

export interface ExplainQuery {
  readonly flow: string;
  readonly user: string;
  /**
   * The one that the application passes as `groupIdentifier`; without it, the user's groups count
   * (S33).
   */
  readonly group?: string;
  /** The one that `latest` is when left out. */
  readonly version?: number;
  /** False: without the values of properties, as for those who must not see them (M1). */
  readonly values?: boolean;
  /**
   * True: sentences call blocks and the flow by their titles instead of their identifiers (T16).
   */
  readonly titles?: boolean;
  /**
   * False: sentences quote no condition, for readers who show `condition`, `goal` and `done` beside
   * them (T15).
   */
  readonly quotes?: boolean;
}

/**
 * `origin` is where it came from, on events that have it: `read`, `request`, `trigger`, `operator`.
 */
export type RecordedEvent = Pick<FlowEventRow, 'version' | 'revision' | 'at' | 'event' | 'origin'>;

/** Everything that decides what one user sees of a flow. */
export interface ExplainInput extends LatestVersion {
  readonly flow: ResolvedFlow;
  readonly isArchived: boolean;
  /** What sentences call the flow, and its blocks by their identifiers. */
  readonly flowName: string;
  readonly nameOf: (block: string) => string;
  /** Null for a user who was never identified. */
  readonly context: Context | null;
  /** Of this version, or of the older one that it is migrated from (S28). */
  readonly stored: StoredState | null;
  /** The highest version above this one in which the user has a state. */
  readonly newer: number | null;
  /** Of the events of every version up to this one. */
  readonly timeline: Timeline<RecordedEvent>;
}

/** Reads the database once for all. Throws `flow.unknown` and `version.unknown`. */
export async function loadExplainInput(
  dataSource: DataSource,
  environmentId: string,
  input: ExplainQuery,
): Promise<ExplainInput> {
  const { manager } = dataSource;
  const latest = await loadLatestIn(manager, environmentId, input.flow);
  const found = await loadFlowVersion(manager, input.flow, input.version ?? latest.latest ?? 0);
  const { archivedAt } = await manager.findOneByOrFail(Flow, { flow: input.flow });
  const id = userId(environmentId, input.user);
  const group =
    input.group === undefined
      ? null
      : { identifier: input.group, groupId: groupId(environmentId, input.group) };
  return {
    flow: resolveFlow(found),
    isArchived: archivedAt !== null,
    flowName: (input.titles && found.definition.name) || input.flow,
    nameOf: input.titles ? spokenNamesOf(found.definition) : (block) => block,
    ...latest,
    context: await loadContext(dataSource, id, group, await loadNow(dataSource)),
    ...(await loadStates(manager, id, found)),
    timeline: await loadTimeline(manager, id, found),
  };
}

/** Version 0 has no older ones (S28). */
const versionsUpTo = (version: number) => Between(Math.min(version, 1), version);

async function loadStates(
  manager: EntityManager,
  user: string,
  { flow, version }: FlowVersion,
): Promise<Pick<ExplainInput, 'stored' | 'newer'>> {
  const order = { version: 'DESC' } as const;
  const stored = await manager.findOne(FlowStateRow, {
    where: { userId: user, flow, version: versionsUpTo(version) },
    order,
  });
  const highest =
    version === 0 ? null : await manager.maximum(FlowStateRow, 'version', { userId: user, flow });
  return { stored, newer: highest !== null && highest > version ? highest : null };
}

const FIRST_EVENTS = `
  SELECT e.version, min(e.revision)::int AS first
  FROM flow_events e
  WHERE e.user_id = $1 AND e.flow = $2 AND e.version BETWEEN $3 AND $4
  GROUP BY e.version
  ORDER BY e.version`;

const RESTORES = `
  SELECT e.version, e.revision, (e.event -> 'cause' ->> 'revision')::int AS "to"
  FROM flow_events e
  WHERE e.user_id = $1 AND e.flow = $2 AND e.version BETWEEN $3 AND $4 AND e.event -> 'cause' ->> 'kind' = 'restored'
  ORDER BY e.version, e.revision`;

/** Events that are in memory at once: a page's key can make hundreds of thousands for one user. */
const PAGE = 1_000;

async function loadTimeline(
  manager: EntityManager,
  user: string,
  { flow, version }: FlowVersion,
): Promise<Timeline<RecordedEvent>> {
  const scope = [user, flow, Math.min(version, 1), version];
  const versions = await manager.query<{ version: number; first: number }[]>(FIRST_EVENTS, scope);
  const restores = await manager.query<Restore[]>(RESTORES, scope);
  const first = new Map(versions.map((one) => [one.version, one.first]));
  const timeline = new Timeline<RecordedEvent>(findUndone(restores, first));
  for (const one of versions) {
    for (let after = one.first - 1, isLast = false; !isLast;) {
      const page = await manager.find(FlowEventRow, {
        select: { version: true, revision: true, at: true, event: true, origin: true },
        where: { userId: user, flow, version: one.version, revision: MoreThan(after) },
        order: { revision: 'ASC' },
        take: PAGE,
      });
      for (const event of page) timeline.add(event);
      after = page.at(-1)?.revision ?? after;
      isLast = page.length < PAGE;
    }
  }
  return timeline;
}
