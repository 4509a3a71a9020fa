import type { Command } from './command.js';
import type { Format, Uid } from '../definition/definition.js';
import type { MigrationStrategy } from './migration-strategy.js';
import type { FlowState } from './state.js';

/**
 * What made an event: a command, the engine's own steps before one (S27, S28), or an operator who
 * takes something back.
 */
export type Cause =
  | Command
  | { readonly kind: 'edited' }
  /** The end of the flow has come (Z8). */
  | { readonly kind: 'ended' }
  /** Blocks that say `done` were left, as their conditions held (Z1). */
  | { readonly kind: 'condition' }
  /** A former state was put back, as it was after that revision (I5). */
  | { readonly kind: 'restored'; readonly revision: number }
  | { readonly kind: 'migrated'; readonly from: number; readonly strategy: MigrationStrategy };

/** One recorded fact. `apply` of each, in order, is the only way a state ever changes (S6). */
export type Change =
  /** All flow flags false, every block, transition and gate cleared (S10). */
  | { readonly kind: 'cleared' }
  /** Flow flags set to these values; flags not named stay. */
  | {
      readonly kind: 'flow';
      readonly started?: boolean;
      readonly stopped?: boolean;
      readonly finished?: boolean;
    }
  /** Exposed block became active and entered (S14). */
  | { readonly kind: 'entered'; readonly block: Uid }
  /** Active block became inactive and exited (S12). */
  | { readonly kind: 'exited'; readonly block: Uid }
  /**
   * Active block became inactive without being exited, or a delay that waited is over without going
   * on (S11, S24).
   */
  | { readonly kind: 'deactivated'; readonly block: Uid }
  /** Block took a name; false until taken (S12, B6). */
  | { readonly kind: 'transitioned'; readonly block: Uid; readonly name: string }
  /** Outcome of a branch; recorded for the audit trail, changes no state (S15). */
  | { readonly kind: 'branched'; readonly block: Uid; readonly outcome: boolean }
  /** Gate received an input (S16). */
  | { readonly kind: 'received'; readonly gate: Uid; readonly from: Uid | 'start' }
  /** Gate passed, what it had received is cleared (S16). */
  | { readonly kind: 'passed'; readonly gate: Uid }
  /** Delay was entered, and is over at that time, in milliseconds since 1970 (Z4). */
  | { readonly kind: 'waiting'; readonly block: Uid; readonly until: number }
  /** Delay went on (Z4). */
  | { readonly kind: 'waited'; readonly block: Uid }
  /** Webhook or trigger was reached; recorded for the audit trail, changes no state (S19). */
  | { readonly kind: 'effected'; readonly block: Uid }
  /** Everything known of a block or gate is forgotten (S24, S27). */
  | { readonly kind: 'dropped'; readonly block: Uid }
  /** A name that the block no longer has is forgotten (S27). */
  | { readonly kind: 'dropped-name'; readonly block: Uid; readonly name: string }
  /** A gate input that no longer leads to the gate is forgotten (S27). */
  | { readonly kind: 'dropped-input'; readonly gate: Uid; readonly from: Uid | 'start' }
  /**
   * The state of an older version was taken over, cut down to what survives (S28); of a restart, to
   * the ways of splits (K1).
   */
  | { readonly kind: 'carried'; readonly state: FlowState };

/** The state that a commit found, kept with its last event so that it can be given back (I6). */
export interface StateBefore {
  readonly revision: number;
  readonly state: FlowState;
}

/** Whether a change has to do with delays, which older releases would ignore (Z0, Z4). */
export const mentionsDelay = (change: Change): boolean =>
  change.kind === 'waiting' ||
  change.kind === 'waited' ||
  (change.kind === 'carried' && change.state.format > 1);

/** The recorded event of one step that took effect (S6). Its revision and time are the store's. */
export interface FlowEvent {
  /** Format of this document; raised when older recordings need translation. */
  readonly format: Format;
  readonly cause: Cause;
  readonly changes: readonly Change[];
  /** Of events that are part of a run only; folding does not look at it. */
  readonly before?: StateBefore;
}
