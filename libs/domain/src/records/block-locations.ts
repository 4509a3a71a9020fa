import type { DataSource } from 'typeorm';
import {
  type FlowDefinition,
  type FlowState,
  isRunning,
  partsOf,
  type Uid,
} from '../engine/index.js';
import { type Expression, parseExpression } from '../targeting/index.js';
import { DomainError } from '../database/errors/index.js';
import { loadReportedVersions } from '../analysis/index.js';

/** The versions of a flow in which users are looked for, with what their blocks are called. */
export interface BlockLocations {
  readonly flow: string;
  /** Identifiers by uid in the order of the definition, by version. */
  readonly names: ReadonlyMap<number, ReadonlyMap<Uid, string>>;
  /** Of the newest of these versions, where it has a goal (Z7). */
  readonly goal?: Expression;
}

/**
 * Every committed version where none is given. Throws `flow.unknown`, `version.unknown`, and
 * `block.unknown` where none of these versions has the block.
 */
export async function loadBlockLocations(
  { manager }: DataSource,
  environmentId: string,
  {
    flow,
    version,
    block,
  }: { readonly flow: string; readonly version?: number; readonly block?: string },
): Promise<BlockLocations> {
  const { definitions } = await loadReportedVersions(manager, environmentId, {
    flow,
    version: version ?? 'all',
  });
  const names = new Map(definitions.map((one) => [one.version, namesOf(one.definition)]));
  const isThere =
    block === undefined ||
    [...names.values()].some((ofVersion) => [...ofVersion.values()].includes(block));
  if (!isThere)
    throw new DomainError('block.unknown', `flow ${flow} has no block ${JSON.stringify(block)}`);
  const { goal, segments } = definitions.at(-1)!.definition;
  return { flow, names, ...(goal !== undefined && { goal: parseExpression(goal, segments) }) };
}

/** The blocks and items where a user is; none in a flow that has ended. */
export function activeIn({ names }: BlockLocations, version: number, state: FlowState): string[] {
  if (!isRunning(state)) return [];
  return [...names.get(version)!].flatMap(([uid, id]) => (state.blocks[uid]?.active ? id : []));
}

const namesOf = (definition: FlowDefinition): ReadonlyMap<Uid, string> =>
  new Map(partsOf(definition).map(({ uid, id }) => [uid, id]));
