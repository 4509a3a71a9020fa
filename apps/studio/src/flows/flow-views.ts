import type { FlowDefinition, MigrationStrategy } from '@waymark/domain/engine';
import type { ListedFlow } from '@waymark/domain/flows';
import type { AnswerPage, FlowReport, GivenAnswer } from '@waymark/domain/analysis';
import type { NamedUser } from '@waymark/domain/records';
import type { PictureResult } from '../reader/picture-result.js';
import type { JsonRow } from '../work/json-row.js';

/** A row of the list of flows. */
export type FlowLine = JsonRow<ListedFlow>;

/** How many users are in progress in each flow; null where it would have taken too long to count. */
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
  /** What `latest` means in the environment: the version that is pinned there, else the last commit. */
  latest: number | null;
  /** The last commit; null before the first. */
  highest: number | null;
  versions: VersionLine[];
  /** The version that is shown. */
  version: number;
  definition: FlowDefinition;
  /** What users read as the titles of its blocks and items, by identifier, where they have one (T16). */
  titles: Readonly<Record<string, string>>;
}

/** How two versions differ, in words. */
export interface VersionDifferences {
  differences: string[];
}

/** The flow with the share of each path; without a picture where it cannot be drawn. */
export interface ReportShown extends Partial<PictureResult> {
  report: FlowReport;
}

/** Users who are in a block now. */
export interface UsersThere {
  users: readonly NamedUser[];
  /** Whether there are no others. */
  isAll: boolean;
}

/** What users answered, the latest first. */
export interface AnswersShown extends Omit<AnswerPage, 'answers'> {
  answers: readonly (Omit<JsonRow<GivenAnswer>, 'user'> & { user: NamedUser })[];
}
