import type { FileProblem } from '@waymark/domain/flow-files';
import type { AttentionDifference } from '@waymark/domain/flows';

/** The attention groups of all environments as a file, and which flows name which group. */
export interface AttentionFile {
  readonly text: string;
  readonly sha256: string;
  readonly groups: readonly { group: string; flows: readonly string[]; isKnown: boolean }[];
}

/** What a file would change; nothing is known of one that has errors. */
export interface CheckedAttention {
  readonly problems: readonly FileProblem[];
  readonly difference?: AttentionDifference;
  /** Groups that would be removed though flows name them. */
  readonly named?: readonly { group: string; flows: readonly string[] }[];
}
