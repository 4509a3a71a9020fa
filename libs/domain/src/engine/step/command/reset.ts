import type { CompiledFlow } from '../../definition/compiled-flow.js';
import { blockState, isEmptyState } from '../../state/inspect-state.js';
import { EMPTY_STATE, type FlowState } from '../../state/state.js';
import { begin, start } from './start.js';
import type { StepRecorder } from '../walk/step-recorder.js';

/** Clears everything, then starts as `start` would; one step (S10). */
export function reset(step: StepRecorder, force: boolean): void {
  clear(step);
  start(step, force);
}

/**
 * Starts without asking targeting: once in, a user stays in (S7, S27, S28). Clears everything but
 * which way the user took at each split, in the state `from`: only a reset forgets that (K1).
 */
export function restart(step: StepRecorder, from: FlowState = step.state): void {
  const blocks = waysTaken(step.flow, from);
  clear(step);
  if (blocks) step.record({ kind: 'carried', state: { ...EMPTY_STATE, blocks } });
  begin(step);
}

function clear(step: StepRecorder): void {
  if (!isEmptyState(step.state)) step.record({ kind: 'cleared' });
}

function waysTaken(
  { byUid, hasSplit }: CompiledFlow,
  state: FlowState,
): FlowState['blocks'] | undefined {
  if (!hasSplit) return undefined;
  const taken = Object.keys(state.blocks).flatMap((uid) => {
    const split = byUid.get(uid);
    if (split?.kind !== 'split') return [];
    const { transitioned = [] } = blockState(state, uid);
    const way = split.ways.find(({ name }) => transitioned.includes(name));
    return way ? [[uid, { transitioned: [way.name] }] as const] : [];
  });
  return taken.length > 0 ? Object.fromEntries(taken) : undefined;
}
