import { type Context, evaluateCondition } from '../targeting/index.js';
import type { CompiledFlow } from './compiled-flow.js';
import { isEmptyState, isUntouched } from './reading.js';
import type { StepRecorder } from './step-recorder.js';
import { walk } from './walk.js';

/** Starts an untouched flow for a user who qualifies or is forced in (S9). */
export function start(step: StepRecorder, force: boolean): void {
  if (!isUntouched(step.state)) return;
  if (force || qualifies(step.flow, step.context)) begin(step);
}

/** Clears everything, then starts as `start` would; one step (S10). */
export function reset(step: StepRecorder, force: boolean): void {
  clear(step);
  start(step, force);
}

/** Clears everything and starts without asking targeting: once in, a user stays in (S7, S27, S28). */
export function restart(step: StepRecorder): void {
  clear(step);
  begin(step);
}

function clear(step: StepRecorder): void {
  if (!isEmptyState(step.state)) step.record({ kind: 'cleared' });
}

function begin(step: StepRecorder): void {
  step.record({ kind: 'flow', started: true });
  walk(step, step.flow.start);
}

/** Whether a user enters by themselves (S7). */
function qualifies({ target }: CompiledFlow, context: Context): boolean {
  if (target === 'all') return true;
  return target !== 'api-only' && evaluateCondition(target, context);
}
