import type { CompiledFlow } from '../../definition/compiled-flow.js';
import type { Uid } from '../../definition/definition.js';
import type { Context } from '../../../targeting/index.js';
import { isRunning, waitingOf } from '../../state/inspect-state.js';
import { hasEnded, type Step, StepRecorder } from './step-recorder.js';
import type { FlowState } from '../../state/state.js';

/**
 * `stopped`, every block inactive and every delay over; the rest stays as it is, also of a flow
 * never started (S11).
 */
export function stop(step: StepRecorder): void {
  end(step, 'stopped', 'finished');
}

/**
 * Stops what still runs in a flow whose end has come; a step of its own, before any command on the
 * flow (Z8).
 */
export function stopAtEnd(flow: CompiledFlow, state: FlowState, context: Context): Step {
  const step = new StepRecorder(flow, state, context);
  if (isRunning(state) && hasEnded(flow, context)) stop(step);
  return step.close({ kind: 'ended' });
}

/**
 * `finished`, every block inactive and every delay over; by command (S11) or because the walk
 * reached a finish (S17).
 */
export function finish(step: StepRecorder): void {
  end(step, 'finished', 'stopped');
}

function end(step: StepRecorder, set: 'stopped' | 'finished', unset: 'stopped' | 'finished'): void {
  const { state } = step;
  if (!state[set] || state[unset])
    step.record({ kind: 'flow', [set]: true, ...(state[unset] && { [unset]: false }) });
  for (const block of activeAndWaiting(step.flow, state))
    step.record({ kind: 'deactivated', block });
}

/**
 * Active blocks and delays that wait, in the order of the definition: that of keys in a state that
 * was stored means nothing.
 */
function activeAndWaiting(flow: CompiledFlow, state: FlowState): Uid[] {
  const active = Object.keys(state.blocks).filter((uid) => state.blocks[uid]?.active);
  return [...active, ...Object.keys(waitingOf(state))].sort(
    (a, b) => orderOf(flow, a) - orderOf(flow, b) || (a < b ? -1 : 1),
  );
}

function orderOf(flow: CompiledFlow, uid: Uid): number {
  return flow.byUid.get(uid)?.order ?? Number.MAX_SAFE_INTEGER;
}
