import type { Effect, FlowState } from '@waymark/domain/engine';
import type { ReferenceWalk } from './reference-walk.js';

/** What the reference says about one step, to be held against the engine's `Step`. */
export interface ReferenceOutcome {
  readonly state: FlowState;
  readonly tookEffect: boolean;
  readonly effects: readonly Effect[];
}

/** What a step without effect leaves is what it found (S6). */
export const referenceOutcome = (
  { state, effects }: ReferenceWalk,
  before: FlowState,
  tookEffect: boolean,
): ReferenceOutcome =>
  tookEffect
    ? { state: state.toFlowState(), tookEffect, effects }
    : { state: before, tookEffect, effects: [] };
