import { EngineError } from '../definition/engine-error.js';
import type { Change, FlowEvent } from './event.js';
import { StateDraft } from './state-draft.js';
import { EMPTY_STATE, type FlowState } from './state.js';

/** The state after one recorded change; the same object when the change changes nothing. */
export function applyChange(state: FlowState, change: Change): FlowState {
  const draft = new StateDraft(state);
  draft.apply(change);
  return draft.toState();
}

/**
 * The state that a history leads to, from empty, without asking anything (S6). Throws an `EngineError` for events of a
 * format that this version does not know.
 */
export function fold(events: Iterable<FlowEvent>): FlowState {
  const draft = new StateDraft(EMPTY_STATE);
  for (const event of events) {
    if (event.format !== 1)
      throw new EngineError('engine.unknown-format', `cannot fold an event of format ${String(event.format)}`);
    for (const change of event.changes) draft.apply(change);
  }
  return draft.toState();
}
