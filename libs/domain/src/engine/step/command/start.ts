import { type Context, evaluateCondition } from '../../../targeting/index.js';
import type { CompiledFlow } from '../../definition/compiled-flow.js';
import type { FlowState } from '../../state/state.js';
import { isUntouched } from '../../state/inspect-state.js';
import { hasEnded, type StepRecorder } from '../walk/step-recorder.js';
import { walk } from '../walk/walk.js';

/** Starts an untouched flow for a user who qualifies or is forced in (S9). */
export function start(step: StepRecorder, force: boolean): void {
  if (mayStart(step.flow, step.state, step.context, force)) begin(step);
}

/** Whether the flow is untouched and has not ended, for a user who qualifies or is forced in. */
export function mayStart(
  flow: CompiledFlow,
  state: FlowState,
  context: Context,
  force: boolean,
): boolean {
  if (!isUntouched(state) || hasEnded(flow, context)) return false;
  return force || qualifies(flow, context);
}

/** Starts whatever the state and the targeting. */
export function begin(step: StepRecorder): void {
  step.record({ kind: 'flow', started: true });
  walk(step, step.flow.start);
}

/** Whether a user enters by themselves (S7, Z8). */
function qualifies({ target, from, until }: CompiledFlow, context: Context): boolean {
  if (context.now < from || context.now >= until) return false;
  if (target === 'all') return true;
  return target !== 'api-only' && evaluateCondition(target, context);
}
