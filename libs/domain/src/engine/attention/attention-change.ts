import type { FlowEvent } from '../state/event.js';
import { fold } from '../state/fold.js';
import { isRunning } from '../state/inspect-state.js';
import { EMPTY_STATE, type FlowState } from '../state/state.js';

/** What a write means for the attention group of its flow (Q2). */
export interface AttentionChange {
  readonly starts: boolean;
  readonly ends: boolean;
  /** Whether the flow is in progress afterwards, and so has a place. */
  readonly holds: boolean;
}

/**
 * Where the flow was in progress before, in this version or, when it is migrated, in an older one.
 */
interface StateBeforeWrite {
  readonly state: FlowState;
  /** Whether it is a state of the version that is written. */
  readonly isSameVersion: boolean;
}

/**
 * What the events of one write begin and end; null for a write that leaves the flow as it was in
 * its group: in progress, or not. A flow that one step starts and ends was both; one that a restore
 * brings back was not started (Q2).
 */
export function findAttentionChange(
  before: StateBeforeWrite | null,
  events: readonly FlowEvent[],
): AttentionChange | null {
  const wasInProgress = before !== null && isRunning(before.state);
  let state = before?.isSameVersion ? before.state : EMPTY_STATE;
  const change = { starts: false, ends: false, holds: wasInProgress };
  for (const event of events) {
    state = fold([event], state);
    follow(change, event, isRunning(state));
  }
  const { starts, ends, holds } = change;
  const takesPlace = holds && !(wasInProgress && before.isSameVersion);
  return starts || ends || takesPlace ? change : null;
}

/** What one step begins and ends, of which `change.holds` is how it was before. */
function follow(
  change: { -readonly [Key in keyof AttentionChange]: AttentionChange[Key] },
  event: FlowEvent,
  holds: boolean,
): void {
  const isStart = event.cause.kind !== 'restored';
  const passed = !change.holds && !holds && isStart && startsFlow(event);
  change.starts ||= passed || (!change.holds && holds && isStart);
  change.ends ||= passed || (change.holds && !holds);
  change.holds = holds;
}

const startsFlow = ({ changes }: FlowEvent): boolean =>
  changes.some((change) => change.kind === 'flow' && change.started === true);
