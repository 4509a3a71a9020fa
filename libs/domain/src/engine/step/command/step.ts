import type { Context } from '../../../targeting/index.js';
import type { Command } from '../../state/command.js';
import type { CompiledFlow } from '../../definition/compiled-flow.js';
import type { Uid } from '../../definition/definition.js';
import { EngineError } from '../../definition/engine-error.js';
import { leave, leaveItem } from '../walk/leave.js';
import { checkNames } from '../../definition/names.js';
import { isActive, isRunning } from '../../state/inspect-state.js';
import { reset } from './reset.js';
import { start } from './start.js';
import { type Step, StepRecorder } from '../walk/step-recorder.js';
import type { FlowState } from '../../state/state.js';
import { finish, stop } from '../walk/stop.js';
import { goOn } from '../walk/walk.js';

/**
 * What a command does to a state: pure, and the same for the same input. A command without effect
 * gives back the very state (S6). Throws an `EngineError` for a block that the flow does not have
 * and for names that `checkNames` refuses.
 */
export function step(
  flow: CompiledFlow,
  state: FlowState,
  command: Command,
  context: Context,
): Step {
  const recorder = new StepRecorder(flow, state, context);
  perform(recorder, command);
  return recorder.close(command);
}

/**
 * What reading a flow does before its state is returned: it starts for a user who qualifies and
 * never came near it (S8).
 */
export function startOnRead(flow: CompiledFlow, state: FlowState, context: Context): Step {
  return step(flow, state, { kind: 'start', force: false }, context);
}

function perform(recorder: StepRecorder, command: Command): void {
  switch (command.kind) {
    case 'start':
      return start(recorder, command.force);
    case 'reset':
      return reset(recorder, command.force);
    case 'stop':
      return stop(recorder);
    case 'finish':
      return finish(recorder);
    case 'continue':
      return goOn(recorder, command.block);
    case 'transition':
      return transition(recorder, command.block, command.names);
  }
}

/** Moves on from an active block of a running flow; anywhere else it does nothing (S12). */
function transition(recorder: StepRecorder, uid: Uid, names: readonly string[]): void {
  const block = recorder.flow.byUid.get(uid);
  if (!block || !('names' in block))
    throw new EngineError('engine.unknown-block', `the flow has no exposed block with uid ${uid}`);
  const checked = checkNames(block, names);
  if ('problem' in checked) throw new EngineError('engine.invalid-names', checked.problem);
  if (!isRunning(recorder.state) || !isActive(recorder.state, uid)) return;
  if (block.kind !== 'item') return leave(recorder, block, checked.names);
  if (isActive(recorder.state, block.containerUid)) leaveItem(recorder, block, checked.names);
}

/**
 * Whether a step may look at the properties of user and group, so that a store may leave them
 * unread otherwise: from any state, with migration and edit before the command (S27, S28).
 */
export function needsContext(flow: CompiledFlow, command: Command | 'read'): boolean {
  const kind = command === 'read' ? 'start' : command.kind;
  return (
    flow.hasBranch ||
    (typeof flow.target !== 'string' && (kind === 'start' || kind === 'reset')) ||
    (flow.done.length > 0 && (command === 'read' || kind === 'transition'))
  );
}
