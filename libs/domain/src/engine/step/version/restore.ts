import { type Change, type FlowEvent, mentionsDelay } from '../../state/event.js';
import { applyChange } from '../../state/fold.js';
import { isEmptyState, isSameState } from '../../state/inspect-state.js';
import type { FlowState } from '../../state/state.js';
import type { Step } from '../walk/step-recorder.js';

/**
 * Puts a former state in the place of the present one, as a step of one change (I5). `revision` is
 * that of the former state, and is in the event. Without effect where the two are the same, unless
 * it is an undo, after which the reset counts as if it had never been, even where it left the state
 * as it was (I6). Effects are not sent again.
 */
export function restore(
  state: FlowState,
  former: FlowState,
  revision: number,
  isUndo = false,
): Step {
  if (!isUndo && isSameState(state, former)) return { state, event: null, effects: [] };
  const change: Change = isEmptyState(former)
    ? { kind: 'cleared' }
    : { kind: 'carried', state: former };
  const event: FlowEvent = {
    format: mentionsDelay(change) ? 2 : 1,
    cause: { kind: 'restored', revision },
    changes: [change],
  };
  return { state: applyChange(state, change), event, effects: [] };
}
