import type { FileProblem } from '@waymark/domain/flow-files';
import type { FileDifference, SegmentDifference } from '@waymark/domain/flows';

/** A file that all environments share. */
interface SharedFileView {
  readonly text: string;
  readonly sha256: string;
}

/** What a file would change; nothing is known of one that has errors. */
export interface CheckedFile<Difference extends FileDifference = FileDifference> {
  readonly problems: readonly FileProblem[];
  readonly difference?: Difference;
}

/** With the flows that mention each segment. */
export interface SegmentsFile extends SharedFileView {
  readonly segments: readonly { segment: string; flows: readonly string[] }[];
}

export type CheckedSegments = CheckedFile<SegmentDifference>;

/** With the flows that name each group. */
export interface AttentionFile extends SharedFileView {
  readonly groups: readonly { group: string; flows: readonly string[]; isKnown: boolean }[];
}

export interface CheckedAttention extends CheckedFile {
  /** Groups that would be removed though flows name them. */
  readonly named?: readonly { group: string; flows: readonly string[] }[];
}
