import { isKnownFormat } from '../definition/definition.js';
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
 * The state that a history leads to, from empty, without asking anything (S6). Throws an
 * `EngineError` for events of a format, and changes of a kind, that this version does not know
 * (R17).
 */
export function fold(events: Iterable<FlowEvent>, from: FlowState = EMPTY_STATE): FlowState {
  const draft = new StateDraft(from);
  for (const event of events) {
    if (!isKnownFormat(event.format))
      throw new EngineError(
        'engine.unknown-format',
        `cannot fold an event of format ${String(event.format)}`,
      );
    for (const change of event.changes) draft.apply(change);
  }
  return draft.toState();
}
