import type { Context } from '../../../targeting/index.js';
import type {
  CompiledBlock,
  CompiledContainer,
  CompiledFlow,
} from '../../definition/compiled-flow.js';
import { findDropped } from './dropped.js';
import { passIfComplete } from '../walk/gates.js';
import { complete, isDone } from '../walk/leave.js';
import { blockState, canGoOn, isActive, isRunning } from '../../state/inspect-state.js';
import { restart } from '../command/reset.js';
import { hasEnded, type Step, StepRecorder } from '../walk/step-recorder.js';
import type { FlowState } from '../../state/state.js';
import { walk } from '../walk/walk.js';

/**
 * Fits a state of the edited version to its present definition (S27); without effect when it fits
 * already.
 */
export function adaptToEdit(flow: CompiledFlow, state: FlowState, context: Context): Step {
  const step = new StepRecorder(flow, state, context);
  for (const change of findDropped(flow, state)) step.record(change);
  adapt(step);
  return step.close({ kind: 'edited' });
}

/**
 * What a running flow owes to a definition that is not the one it came from, in the order of the
 * rule (S27).
 */
export function adapt(step: StepRecorder): void {
  if (!isRunning(step.state) || hasEnded(step.flow, step.context)) return;
  if (!canGoOn(step.state)) return restart(step);
  const containers = findActiveContainers(step);
  for (const container of containers) if (container.type !== 'tour') enterNewItems(step, container);
  for (const container of containers) if (container.type === 'tour') moveTour(step, container);
  for (const container of containers) completeIfDone(step, container);
  for (const gate of known(step, step.state.gates)) {
    if (gate.kind === 'gate' && isRunning(step.state)) walk(step, passIfComplete(step, gate));
  }
}

function enterNewItems(step: StepRecorder, { items }: CompiledContainer): void {
  for (const { uid } of items) {
    if (!blockState(step.state, uid).entered) step.record({ kind: 'entered', block: uid });
  }
}

/** A tour whose item is gone goes to its first item not yet left. */
function moveTour(step: StepRecorder, { items }: CompiledContainer): void {
  if (items.some(({ uid }) => isActive(step.state, uid))) return;
  const next = items.find(({ uid }) => !blockState(step.state, uid).exited);
  if (next) step.record({ kind: 'entered', block: next.uid });
}

/** Checks again whether the container is active: a walk of this step may have ended the flow. */
function completeIfDone(step: StepRecorder, container: CompiledContainer): void {
  if (isActive(step.state, container.uid) && isDone(step.state, container))
    complete(step, container);
}

function findActiveContainers(step: StepRecorder): CompiledContainer[] {
  return known(step, step.state.blocks).filter(
    (block): block is CompiledContainer =>
      block.kind === 'container' && isActive(step.state, block.uid),
  );
}

/** The blocks that a part of the state has, in the order of the definition. */
function known(
  { flow }: StepRecorder,
  record: FlowState['blocks'] | FlowState['gates'],
): CompiledBlock[] {
  const blocks = Object.keys(record).flatMap((uid) => flow.byUid.get(uid) ?? []);
  return blocks.sort((a, b) => a.order - b.order);
}
