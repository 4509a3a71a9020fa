import { compile, type CompiledFlow, type FlowDefinition, type Target } from '@waymark/domain/engine';
import type { BlockOf, Targets } from './blocks.js';

/** A flow in compact notation: what is left out has the default of a flow file. */
export interface FlowNotation {
  readonly flow?: string;
  readonly target?: Target;
  /** The first block when left out. */
  readonly start?: Targets;
  readonly blocks?: Readonly<Record<string, BlockOf>>;
}

/**
 * A definition as it is stored, every uid made of the identifier by `uidOf`. Not checked, so that refused definitions
 * can be built too. Keys that look like integers come first: JavaScript orders them so.
 */
export function defineFlow({ flow = 'onboarding', target = { users: 'all' }, start, blocks = {} }: FlowNotation): FlowDefinition {
  const first = Object.keys(blocks)[0] ?? 'finish';
  return {
    format: 1,
    flow,
    target,
    start: [start ?? first].flat(),
    blocks: Object.entries(blocks).map(([id, build]) => build(id)),
  };
}

/** The same, compiled. */
export function compileFlow(notation: FlowNotation): CompiledFlow {
  return compile(defineFlow(notation));
}
