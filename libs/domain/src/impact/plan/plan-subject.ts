import type { DataSource } from 'typeorm';
import { compile, type CompiledFlow, type FlowDefinition } from '../../engine/index.js';
import { BlockUid, FlowVersion, wouldCommit } from '../../flows/index.js';
import type { Meeting } from './foresee.js';

/** A definition that may become a version, beside what there is. */
export interface PlanSubject {
  readonly version: number;
  readonly compiled: CompiledFlow;
  readonly differs: boolean;
  /** The highest commit; null before the first. */
  readonly present: Meeting | null;
  /** Identifiers by uid, of every block that the flow ever had. */
  readonly names: ReadonlyMap<string, string>;
}

/** Looks up what a definition is compared with; a flow that nobody knows yet is fine. */
export async function loadSubject({ manager }: DataSource, definition: FlowDefinition): Promise<PlanSubject> {
  const { flow } = definition;
  const last = await manager.findOne(FlowVersion, { where: { flow }, order: { version: 'DESC' } });
  const present = last && last.version > 0 ? last : null;
  const differs = await wouldCommit(manager, definition);
  const known = await manager.findBy(BlockUid, { flow });
  return {
    version: (present?.version ?? 0) + (differs ? 1 : 0),
    compiled: compile(definition),
    differs,
    present: present && { version: present.version, compiled: compile(present.definition), strategy: present.migration },
    names: new Map(known.map(({ uid, identifier }) => [uid, identifier])),
  };
}
