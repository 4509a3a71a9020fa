import type { SplitSubject } from '../../../engine/index.js';
import type { ShareDifference, ShareEstimate } from './figures.js';

/** The results of a split, by the way that users were sent (K3). */
export interface SplitReport {
  readonly flow: string;
  readonly name: string | null;
  readonly version: number | 'all';
  readonly split: string;
  readonly by: SplitSubject;
  /**
   * A condition that is looked at now, or the name of a block that was taken; null where nothing
   * but the end counts.
   */
  readonly goal: { readonly when: string } | { readonly path: string } | null;
  /** What ways are compared by: the goal, where there is one. */
  readonly outcome: 'goal' | 'finished';
  /** In the order of the definition, then those that only older versions have. */
  readonly ways: readonly WayReport[];
  /**
   * Left out where it cannot be known: of version 0, of splits by group, and before anybody came.
   */
  readonly sampleRatio?: SampleRatio;
  /** How many users' events times are from. */
  readonly followed: number;
  /** What has to be known to read the numbers. */
  readonly notes: readonly string[];
}

export interface WayReport {
  readonly way: string;
  /** Of all shares, as they are now; null for a way that is gone. */
  readonly share: number | null;
  readonly people: number;
  readonly finished: ShareEstimate;
  readonly goal?: ShareEstimate & {
    /**
     * Median from taking the way to taking the name of the goal; null for conditions, and where
     * nobody was seen doing both.
     */
    readonly seconds: number | null;
  };
  /** To the first way, by the outcome; left out of the first one. */
  readonly difference?: ShareDifference;
}

/** Whether as many came along each way as the shares say. */
export interface SampleRatio {
  /** The version since which the shares are what they are. */
  readonly since: number;
  readonly people: number;
  /** How likely such a difference is by chance alone. */
  readonly p: number;
  readonly isSuspicious: boolean;
}
