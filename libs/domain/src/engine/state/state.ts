import type { Format, Uid } from '../definition/definition.js';

/**
 * Where a user is in one block. What is false is absent, so that everything false equals no state
 * (S5).
 */
export interface BlockState {
  readonly active?: true;
  readonly entered?: true;
  readonly exited?: true;
  /** Names taken since the last reset, in the order they were first taken. */
  readonly transitioned?: readonly string[];
}

/** What a gate has received since the last reset or passing: uids of blocks, or `start` (S16). */
export type GateState = readonly (Uid | 'start')[];

/**
 * State of one user in one version of a flow (S5). Immutable plain JSON: it is stored as it is.
 * Blocks and gates without anything true are absent.
 */
export interface FlowState {
  /**
   * 2 where delays wait, which releases before them would forget; else 1, which they read (R17,
   * Z4).
   */
  readonly format: Format;
  readonly started: boolean;
  readonly stopped: boolean;
  readonly finished: boolean;
  readonly blocks: Readonly<Record<Uid, BlockState>>;
  readonly gates: Readonly<Record<Uid, GateState>>;
  /**
   * Delays that wait, with the time at which each is over, in milliseconds since 1970; absent where
   * none does (Z4).
   */
  readonly waiting?: Waiting;
}

export type Waiting = Readonly<Record<Uid, number>>;

/** The state of a user who never came near the flow. */
export const EMPTY_STATE: FlowState = Object.freeze({
  format: 1,
  started: false,
  stopped: false,
  finished: false,
  blocks: Object.freeze({}),
  gates: Object.freeze({}),
});
