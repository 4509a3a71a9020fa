import { isEmptyState } from '../../state/inspect-state.js';
import { begin, start } from './start.js';
import type { StepRecorder } from '../walk/step-recorder.js';

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
