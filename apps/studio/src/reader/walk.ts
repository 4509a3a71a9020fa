import { type GroupHistory, type SimulatedStep, walkThrough } from '@waymark/domain/analysis';
import {
  compile,
  type Context,
  exposedBlocks,
  type FlowDefinition,
  type FlowState,
  isActive,
} from '@waymark/domain/engine';
import { showState, type ShownBlocks } from './show.js';

/** Where a walk through a flow has come, and where it may go on. */
export interface Walked {
  steps: readonly SimulatedStep[];
  choices: { block: string; names: readonly string[] }[];
  /** What a user sees there. */
  shown: ShownBlocks;
  state: FlowState;
}

/** Throws `request.invalid` for a step that cannot be meant. */
export function walk(
  definition: FlowDefinition,
  steps: readonly string[],
  context: Context,
  language?: string,
  attention?: GroupHistory,
): Walked {
  const { simulation, state } = walkThrough({ definition, steps, context, attention });
  const active = exposedBlocks(compile(definition)).filter(({ uid }) => isActive(state, uid));
  const choices = active.map(({ id, names }) => ({ block: id, names }));
  const shown = showState(definition, state, language, context.user.properties);
  return { steps: simulation.steps, choices, shown, state };
}
