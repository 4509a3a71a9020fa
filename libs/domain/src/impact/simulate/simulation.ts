import type { Change, Effect } from '../../engine/index.js';

/** A walk through a flow that nobody took (I4). */
export interface Simulation {
  readonly flow: string;
  readonly version: number;
  readonly steps: readonly SimulatedStep[];
}

export interface SimulatedStep {
  /** As it was asked for: `read`, `welcome:complete`. */
  readonly step: string;
  readonly tookEffect: boolean;
  /** Why it took none. */
  readonly why?: string;
  /** What an event would record, with identifiers in the place of uids. */
  readonly changes: readonly Change[];
  /** Blocks and items that are active afterwards, in the order of the definition. */
  readonly active: readonly string[];
  readonly state: { readonly started: boolean; readonly stopped: boolean; readonly finished: boolean };
  readonly effects: readonly SimulatedEffect[];
}

/** What would be sent, with its tokens filled in, or which flow would be triggered (S19). */
export type SimulatedEffect =
  | Extract<Effect, { kind: 'flow-trigger' }>
  | (Omit<Extract<Effect, { kind: 'webhook' }>, 'headers'> & { readonly headers: Readonly<Record<string, string>> });
