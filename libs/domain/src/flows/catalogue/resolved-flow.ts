import {
  compile,
  type CompiledFlow,
  type ExposedBlock,
  type FlowDefinition,
  type MigrationStrategy,
} from '../../engine/index.js';
import type { FlowVersion } from '../versions/flow-version.js';

/** A version that means the same in every environment. */
export type VersionNumber = number | 'uncommitted';
/** Which version of a flow is requested: a number of any size, or a tag (B1). */
export type VersionRef = VersionNumber | 'latest';

/** One version of a flow, ready to run. */
export interface ResolvedFlow {
  readonly flow: string;
  readonly version: number;
  /** Changes with every edit of version 0, never for commits (S27). */
  readonly edition: number;
  /** How users with older state meet this version (S28). */
  readonly strategy: MigrationStrategy;
  readonly compiled: CompiledFlow;
}

/** A version as it is stored, compiled. */
export function resolveFlow({
  flow,
  version,
  edition,
  migration,
  definition,
}: Pick<FlowVersion, 'flow' | 'version' | 'edition' | 'migration' | 'definition'>): ResolvedFlow {
  return { flow, version, edition, strategy: migration, compiled: compile(definition) };
}

/** The group in which a flow takes turns, and its priority there; none for version 0 (Q2). */
export const attentionOf = ({
  version,
  compiled,
}: {
  readonly version: number;
  readonly compiled?: Pick<CompiledFlow, 'definition'>;
}): FlowDefinition['attention'] => (version > 0 ? compiled?.definition.attention : undefined);

/** Places of flows in the order in which they are shown: by priority, then as requested (Q5). */
export function orderByPriority(flows: readonly ResolvedFlow[]): number[] {
  const priorities = flows.map((flow) => attentionOf(flow)?.priority ?? 0);
  return [...flows.keys()].sort((a, b) => priorities[b]! - priorities[a]!);
}

/** A block that clients see, in one version of its flow. */
export interface ResolvedBlock {
  readonly flow: ResolvedFlow;
  readonly block: ExposedBlock;
}
