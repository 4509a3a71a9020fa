import type { Context } from '../../../targeting/index.js';
import { adapt } from './adapt.js';
import type { CompiledFlow } from '../../definition/compiled-flow.js';
import { findDropped } from './dropped.js';
import type { MigrationStrategy } from '../../state/migration-strategy.js';
import { isEmptyState, isRunning } from '../../state/inspect-state.js';
import { restart } from '../command/reset.js';
import { StateDraft } from '../../state/state-draft.js';
import { EMPTY_STATE, type FlowState } from '../../state/state.js';
import { hasEnded, type Step, StepRecorder } from '../walk/step-recorder.js';

/**
 * The first state of a user in this version, made of the state in an older one (S28). Without
 * effect, and so not to be written, when the result is empty.
 */
export function migrate(
  flow: CompiledFlow,
  older: { readonly version: number; readonly state: FlowState },
  strategy: MigrationStrategy,
  context: Context,
): Step {
  const step = new StepRecorder(flow, EMPTY_STATE, context);
  STRATEGIES[strategy](step, older.state);
  return step.close({ kind: 'migrated', from: older.version, strategy });
}

const STRATEGIES: Record<MigrationStrategy, (step: StepRecorder, older: FlowState) => void> = {
  'carry-over': carryOver,
  'restart-in-progress': (step, older) =>
    isRunning(older) ? restartUnlessEnded(step, older) : keepFlags(step, older),
  'restart-all': (step, older) =>
    older.started ? restartUnlessEnded(step, older) : keepFlags(step, older),
  'stop-in-progress': (step, older) =>
    keepFlags(step, isRunning(older) ? { ...older, stopped: true } : older),
};

function restartUnlessEnded(step: StepRecorder, older: FlowState): void {
  if (hasEnded(step.flow, step.context)) keepFlags(step, older);
  else restart(step, older);
}

function carryOver(step: StepRecorder, older: FlowState): void {
  const draft = new StateDraft(older);
  for (const change of findDropped(step.flow, older)) draft.apply(change);
  const state = draft.toState();
  if (isEmptyState(state)) return;
  step.record({ kind: 'carried', state });
  adapt(step);
}

/** Keeps the three flags and nothing else. */
function keepFlags(step: StepRecorder, { started, stopped, finished }: FlowState): void {
  if (started || stopped || finished) step.record({ kind: 'flow', started, stopped, finished });
}
