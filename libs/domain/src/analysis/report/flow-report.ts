import type { ExposedType } from '../../engine/index.js';
import type { SampleReport } from '../reader/read-pages.js';

/** A funnel in users, since the last reset of each (E13). */
export interface FlowReport {
  readonly flow: string;
  readonly name: string | null;
  readonly version: number | 'all';
  /** Who has a state and was counted. */
  readonly users: number;
  readonly started: number;
  readonly inProgress: number;
  readonly finished: number;
  readonly stopped: number;
  /** Of the flow's newest version that is counted, where it has a goal (Z7). */
  readonly goal?: GoalReport;
  /** In the order of the definition, a container before its items. */
  readonly blocks: readonly BlockReport[];
  readonly branches: readonly BranchReport[];
  /** Of a flow that has some: how many users wait in each now (Z4). */
  readonly delays?: readonly { readonly block: string; readonly now: number }[];
  /** On which days, of UTC, users started and finished; days without either are left out. */
  readonly days: readonly DayReport[];
  /** How many users' events days, outcomes and times are from. */
  readonly followed: number;
  /** Only where not everybody was counted. */
  readonly sampled?: SampleReport;
  /** What has to be known to read the numbers. */
  readonly notes: readonly string[];
}

export interface GoalReport {
  /** The condition as it is written. */
  readonly when: string;
  /** Users who started the flow, and for whom the goal holds now. */
  readonly met: number;
  /** Users who started and finished the flow, and for whom the goal does not hold now. */
  readonly missed: number;
}

export interface BlockReport {
  readonly block: string;
  readonly type: ExposedType;
  /** Identifier of the container of an item. */
  readonly container?: string;
  readonly reached: number;
  readonly now: number;
  /** Users by the names they took. Who took several counts for each. */
  readonly left: Readonly<Record<string, number>>;
  /** Users by where the paths lead that they took, `finish` included; nothing for items. */
  readonly paths: Readonly<Record<string, number>>;
  /**
   * Reached it, are not there and never left it: the flow was stopped, finished or led on without
   * them.
   */
  readonly lost: number;
  /** From first entering to first leaving; null if no user was seen doing both. */
  readonly seconds: { readonly median: number | null; readonly p90: number | null };
  /**
   * What users answered when they left it (Z3), from the events of those who were followed; left
   * out where nobody did.
   */
  readonly answers?: readonly AnswerReport[];
}

/** What came under one key of the answers. */
export interface AnswerReport {
  readonly key: string;
  /** Answers with the key. */
  readonly count: number;
  /** `spread` is the standard deviation. */
  readonly numbers?: {
    readonly count: number;
    readonly mean: number;
    readonly spread: number;
    readonly min: number;
    readonly max: number;
  };
  /** The most frequent, those of lists too; at most the first 200 characters of each. */
  readonly texts?: readonly { readonly text: string; readonly count: number }[];
  /** How often other texts came. */
  readonly otherTexts?: number;
}

export interface DayReport {
  /** As `2026-01-31`. */
  readonly day: string;
  readonly started: number;
  readonly finished: number;
}

export interface BranchReport {
  readonly block: string;
  /** Users who were sent each way; who came several times may count for both. */
  readonly outcomes: { readonly true: number; readonly false: number };
}
