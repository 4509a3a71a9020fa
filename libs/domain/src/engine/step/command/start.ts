import { type Context, evaluateCondition } from '../../../targeting/index.js';
import type { CompiledFlow } from '../../definition/compiled-flow.js';
import { isUntouched } from '../../state/inspect-state.js';
import { hasEnded, type StepRecorder } from '../walk/step-recorder.js';
import { walk } from '../walk/walk.js';

/** Starts an untouched flow for a user who qualifies or is forced in (S9). */
export function start(step: StepRecorder, force: boolean): void {
  if (!isUntouched(step.state) || hasEnded(step.flow, step.context)) return;
  if (force || qualifies(step.flow, step.context)) begin(step);
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
