import type { FlowDefinition, MigrationStrategy } from '@waymark/domain/engine';
import type { ListedFlow } from '@waymark/domain/flows';
import type { AnswerPage, FlowReport, GivenAnswer, PlannedUsers } from '@waymark/domain/analysis';
import type { NamedUser } from '@waymark/domain/records';
import type { PictureResult } from '../reader/picture-result.js';
import type { JsonRow } from '../work/json-row.js';

/** A row of the list of flows. */
export type FlowLine = JsonRow<ListedFlow>;

/**
 * How many users are in progress in each flow; null where it would have taken too long to count.
 */
export interface InProgress {
  counts: Record<string, number> | null;
  /** When they were counted. */
  at: string;
}

export interface VersionLine {
  version: number;
  message: string | null;
  migration: MigrationStrategy;
  /** Who committed it; null for version 0. */
  by: string | null;
  createdAt: string;
}

/** A flow with one of its versions. */
export interface FlowShown extends Omit<ListedFlow, 'updatedAt' | 'end'> {
  /**
   * What `latest` means in the environment: the version that is pinned there, else the last commit.
   */
  latest: number | null;
  /** The last commit; null before the first. */
  highest: number | null;
  /** Whether `latest` is only what is pinned in the environment (Z10). */
  releasesByPin: boolean;
  /** What is released in such environments, by their names. */
  released: Readonly<Record<string, number>>;
  versions: VersionLine[];
  /** The version that is shown. */
  version: number;
  definition: FlowDefinition;
  /**
   * What users read as the titles of its blocks and items, by identifier, where they have one
   * (T16).
   */
  titles: Readonly<Record<string, string>>;
}

/**
 * What releasing a version would do to users of the environment, of a sample where there are many
 * (Z10).
 */
export interface ReleasePreview {
  differences: string[];
  migration: MigrationStrategy;
  users: PlannedUsers;
  sampled?: number;
}

/** How two versions differ, in words. */
export interface VersionDifferences {
  differences: string[];
}

/** The flow with the share of each path; without a picture where it cannot be drawn. */
export interface ReportShown extends Partial<PictureResult> {
  report: FlowReport;
}

/** A page of users who are in a block now. */
export interface UsersAtBlock {
  users: readonly NamedUser[];
  /** The `after` of the next page; missing where there is none. */
  next?: string;
}

/** What users answered, the latest first. */
export interface AnswersShown extends Omit<AnswerPage, 'answers'> {
  answers: readonly (Omit<JsonRow<GivenAnswer>, 'user'> & { user: NamedUser })[];
}
