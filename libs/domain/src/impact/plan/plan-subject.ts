import type { DataSource } from 'typeorm';
import { compile, type CompiledFlow, type FlowDefinition } from '../../engine/index.js';
import { BlockUid, findPin, FlowVersion, loadFlowVersion, wouldCommit } from '../../flows/index.js';
import type { Meeting } from './foresee.js';

/** A definition that may become a version, beside what there is. */
export interface PlanSubject {
  readonly version: number;
  readonly compiled: CompiledFlow;
  readonly differs: boolean;
  /** The highest commit; null before the first. */
  readonly last: Meeting | null;
  /** What `latest` is now: the last, unless the environment pins another (S34). */
  readonly present: Meeting | null;
  readonly pinned: number | null;
  /** Identifiers by uid, of every block that the flow ever had. */
  readonly names: ReadonlyMap<string, string>;
}

/** Looks up what a definition is compared with; a flow that nobody knows yet is fine. */
export async function loadSubject(
  { manager }: DataSource,
  environmentId: string,
  definition: FlowDefinition,
): Promise<PlanSubject> {
  const { flow } = definition;
  const highest = await manager.findOne(FlowVersion, { where: { flow }, order: { version: 'DESC' } });
  const last = highest && highest.version > 0 ? toMeeting(highest) : null;
  const pinned = await findPin(manager, environmentId, flow);
  const differs = await wouldCommit(manager, definition);
  const known = await manager.findBy(BlockUid, { flow });
  return {
    version: (last?.version ?? 0) + (differs ? 1 : 0),
    compiled: compile(definition),
    differs,
    last,
    present: pinned === null ? last : toMeeting(await loadFlowVersion(manager, flow, pinned)),
    pinned,
    names: new Map(known.map(({ uid, identifier }) => [uid, identifier])),
  };
}

/** A version that there is, ready to be met. */
export function toMeeting({ version, definition, migration }: FlowVersion): Meeting {
  return { version, compiled: compile(definition), strategy: migration };
}
