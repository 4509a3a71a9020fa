import type { Context } from '../../../targeting/index.js';
import type { CompiledFlow, LogicBlock } from '../../definition/compiled-flow.js';
import type { Format } from '../../definition/definition.js';
import type { Effect } from '../../definition/effect.js';
import { type Cause, type Change, type FlowEvent, mentionsDelay } from '../../state/event.js';
import { canGoOn, isRunning } from '../../state/inspect-state.js';
import { StateDraft } from '../../state/state-draft.js';
import type { FlowState } from '../../state/state.js';

/**
 * What one step did. `event` is null exactly when the step took no effect (S6); then `state` is the
 * very object that was passed in and `effects` is empty.
 */
export interface Step {
  readonly state: FlowState;
  readonly event: FlowEvent | null;
  readonly effects: readonly Effect[];
}

/**
 * Causes of events that releases before the first one with an engine level would pass over (R17).
 */
const NEWER_CAUSES: ReadonlySet<Cause['kind']> = new Set(['ended', 'condition', 'continue']);

/** Whether nothing starts or goes on any more (Z8). */
export const hasEnded = ({ end }: CompiledFlow, { now }: Context): boolean => now >= end;

/**
 * One step in the making. Its state moves by recorded changes alone, so that the event has
 * everything that happened (S6).
 */
export class StepRecorder {
  readonly #changes: Change[] = [];
  readonly #effects: Effect[] = [];
  readonly #acted = new Set<LogicBlock>();
  readonly #draft: StateDraft;
  #format: Format = 1;

  constructor(
    readonly flow: CompiledFlow,
    state: FlowState,
    readonly context: Context,
  ) {
    this.#draft = new StateDraft(state);
  }

  /** The state as it is now; it moves on with every `record`. */
  get state(): FlowState {
    return this.#draft;
  }

  /** `format` is the lowest that has such a change (Z0). */
  record(change: Change, format: Format = 1): void {
    if (format > this.#format) this.#format = format;
    this.#changes.push(change);
    this.#draft.apply(change);
  }

  addEffect(effect: Effect): void {
    this.#effects.push(effect);
  }

  /** True the first time only: an automatic block acts at most once in a step (S20). */
  claim(block: LogicBlock): boolean {
    if (this.#acted.has(block)) return false;
    this.#acted.add(block);
    return true;
  }

  /**
   * Ends the step: a running flow without an active block or a delay that waits is finished (S18);
   * without any change nothing happened (S6).
   */
  close(cause: Cause): Step {
    if (this.#changes.length === 0) return { state: this.#draft.base, event: null, effects: [] };
    const isOver = isRunning(this.state) && !canGoOn(this.state);
    // Past its end a flow is stopped by the step that follows, not finished (Z8).
    if (isOver && !hasEnded(this.flow, this.context)) this.record({ kind: 'flow', finished: true });
    return {
      state: this.#draft.toState(),
      event: { format: this.#formatFor(cause), cause, changes: this.#changes },
      effects: this.#effects,
    };
  }

  /** 2 for what releases before it would pass over (Z0). */
  #formatFor({ kind }: Cause): Format {
    const isNewer = NEWER_CAUSES.has(kind) || this.#changes.some(mentionsDelay);
    return isNewer ? 2 : this.#format;
  }
}
