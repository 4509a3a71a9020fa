import { type Context, evaluateCondition } from '../../../targeting/index.js';
import type { CompiledDone, CompiledFlow } from '../../definition/compiled-flow.js';
import { isActive, isRunning } from '../../state/inspect-state.js';
import type { FlowState } from '../../state/state.js';
import { leave, leaveItem } from '../walk/leave.js';
import { type Step, StepRecorder } from '../walk/step-recorder.js';

/** The active blocks that say `done`, in the order of the definition: what a look asks (Z1). */
export const waitingForDone = ({ done }: CompiledFlow, state: FlowState): CompiledDone[] =>
  isRunning(state) ? done.filter(({ block }) => isActive(state, block.uid)) : [];

/**
 * Looks once at the active blocks that say `done`: those whose condition holds take their name, all
 * in one step (Z1). What it enters waits for the next look, so that one look always ends.
 */
export function takeDone(flow: CompiledFlow, state: FlowState, context: Context): Step {
  const step = new StepRecorder(flow, state, context);
  const holding = waitingForDone(flow, state).filter(({ when }) =>
    evaluateCondition(when, context),
  );
  for (const { block, take } of holding) {
    // One before it may have left its container, or finished the flow.
    if (!isRunning(step.state) || !isActive(step.state, block.uid)) continue;
    if (block.kind === 'item') leaveItem(step, block, [take]);
    else leave(step, block, [take]);
  }
  return step.close({ kind: 'condition' });
}
