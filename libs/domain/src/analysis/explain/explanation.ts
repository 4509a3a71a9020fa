import type { ExplainedWait } from './explain-wait.js';
import type { Json } from '../../targeting/json/json.js';

/** Why a user sees what they see of a flow, and why not (I1). */
export interface Explanation {
  readonly user: string;
  readonly flow: string;
  /** The requested version, or that of `latest`; 0 where nothing is committed. */
  readonly version: number;
  readonly identified: boolean;
  /** Whether the next read of the flow starts it (S8). */
  readonly wouldStart: boolean;
  /** Of a flow that the next read would start, but for the rules of its attention group (Q7). */
  readonly waits?: ExplainedWait;
  /**
   * The reason that decides, where the user sees nothing of it and a read changes nothing about
   * that.
   */
  readonly because?: string;
  /** All of it in sentences, from top to bottom. */
  readonly reasons: readonly string[];
  /** Who enters by themselves, where a condition decides; for a user who was identified. */
  readonly condition?: ExplainedCondition;
  /** Of the flow, where it has one; for a user who was identified (Z7). */
  readonly goal?: ExplainedCondition;
  /** Blocks and items that are active when the flow is read, before it starts. */
  readonly active: readonly ActiveBlock[];
  /** Active blocks and items that are left by themselves, with what they wait for (Z1). */
  readonly done: readonly { readonly block: string; readonly condition: ExplainedCondition }[];
  readonly gates: readonly WaitingGate[];
  /** Where delays wait: until when each does (Z4). */
  readonly delays?: readonly { readonly block: string; readonly until: Date }[];
  /** Containers that are active, with the items that are left to do. */
  readonly items: readonly { readonly block: string; readonly left: readonly string[] }[];
  /** Of a flow that has some, in the order of the definition (K2). */
  readonly splits?: readonly ExplainedSplit[];
  readonly branches: readonly {
    readonly block: string;
    readonly outcome: boolean;
    readonly at: Date;
  }[];
}

/** The way of one user through a split. */
export interface ExplainedSplit {
  readonly block: string;
  /**
   * Whether the user was sent this way since the last reset; otherwise it is where they would be
   * sent now.
   */
  readonly isTaken: boolean;
  readonly way: string;
  /** What the way has of all shares, now. */
  readonly share: number;
  readonly ofAll: number;
}

export interface ExplainedCondition {
  readonly source: string;
  readonly value: boolean;
  /** What `group` stands for, where the condition looks at it; null where there is none (S33). */
  readonly group?: string | null;
  readonly parts: readonly ExplainedPart[];
}

export interface ExplainedPart {
  readonly source: string;
  /** Dates are ISO 8601, durations words. */
  readonly value: Json;
  /** Only where it is a value of the user or group that is not there. */
  readonly missing?: true;
  readonly parts: readonly ExplainedPart[];
}

interface ActiveBlock {
  readonly block: string;
  /** Null where it becomes active by the next read, or where the event is pruned. */
  readonly since: Date | null;
}

export interface WaitingGate {
  readonly block: string;
  readonly received: readonly string[];
  /** Blocks, or `start`; `canCome` is whether some path leads there from an active block. */
  readonly waitsFor: readonly { readonly block: string; readonly canCome: boolean }[];
}
