import type { BlockState, FlowState } from '@waymark/domain/engine';

/** A state as S5 words it: one set for each thing that can be true of a block. */
export class ReferenceState {
  started = false;
  stopped = false;
  finished = false;
  readonly active = new Set<string>();
  readonly entered = new Set<string>();
  readonly exited = new Set<string>();
  readonly transitioned = new Map<string, Set<string>>();
  /** What each gate has received, by uid of the gate (S16). */
  readonly received = new Map<string, Set<string>>();
  /** Delays that wait, and until when (Z4). */
  readonly waiting = new Map<string, number>();

  /** Reads the stored form, so that the reference can go on from a state that the engine made. */
  static of(state: FlowState): ReferenceState {
    const copy = new ReferenceState();
    copy.started = state.started;
    copy.stopped = state.stopped;
    copy.finished = state.finished;
    for (const [uid, block] of Object.entries(state.blocks)) {
      if (block.active) copy.active.add(uid);
      if (block.entered) copy.entered.add(uid);
      if (block.exited) copy.exited.add(uid);
      if (block.transitioned) copy.transitioned.set(uid, new Set(block.transitioned));
    }
    for (const [gate, inputs] of Object.entries(state.gates))
      copy.received.set(gate, new Set(inputs));
    for (const [delay, until] of Object.entries(state.waiting ?? {}))
      copy.waiting.set(delay, until);
    return copy;
  }

  get isRunning(): boolean {
    return this.started && !this.stopped && !this.finished;
  }

  /** Whether no block is active and no delay waits (S18, S27, S28). */
  get isOver(): boolean {
    return this.active.size === 0 && this.waiting.size === 0;
  }

  get isEmpty(): boolean {
    return (
      JSON.stringify(this.toFlowState()) === JSON.stringify(new ReferenceState().toFlowState())
    );
  }

  clear(): void {
    this.started = this.stopped = this.finished = false;
    this.forget(() => true);
  }

  /** Forgets everything about the blocks and gates for which the question is answered with yes. */
  forget(isForgotten: (uid: string) => boolean): void {
    for (const known of [
      this.active,
      this.entered,
      this.exited,
      this.transitioned,
      this.received,
      this.waiting,
    ]) {
      for (const uid of [...known.keys()]) if (isForgotten(uid)) known.delete(uid);
    }
  }

  /** The contract's form: what is false is absent (S5). */
  toFlowState(): FlowState {
    const known = new Set([
      ...this.active,
      ...this.entered,
      ...this.exited,
      ...this.transitioned.keys(),
    ]);
    const blocks = [...known]
      .map((uid) => [uid, this.blockState(uid)] as const)
      .filter(([, state]) => Object.keys(state).length > 0);
    const gates = [...this.received]
      .filter(([, inputs]) => inputs.size > 0)
      .map(([gate, inputs]) => [gate, [...inputs]] as const);
    const { started, stopped, finished } = this;
    return {
      format: this.waiting.size > 0 ? 2 : 1,
      started,
      stopped,
      finished,
      blocks: Object.fromEntries(blocks),
      gates: Object.fromEntries(gates),
      ...(this.waiting.size > 0 && { waiting: Object.fromEntries(this.waiting) }),
    };
  }

  private blockState(uid: string): BlockState {
    const names = [...(this.transitioned.get(uid) ?? [])];
    return {
      ...(this.active.has(uid) && { active: true }),
      ...(this.entered.has(uid) && { entered: true }),
      ...(this.exited.has(uid) && { exited: true }),
      ...(names.length > 0 && { transitioned: names }),
    };
  }
}
