import type { FlowDefinition, MigrationStrategy } from '@waymark/domain/engine';
import type { ListedFlow } from '@waymark/domain/flows';
import type { FlowReport } from '@waymark/domain/impact';
import type { Drawn } from '../reader/drawn.js';
import type { Told } from '../work/told.js';

/** A row of the list of flows. */
export type FlowLine = Told<ListedFlow>;

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
export interface FlowShown extends Omit<ListedFlow, 'updatedAt'> {
  /** What `latest` means in the environment: the version that is pinned there, else the last commit. */
  latest: number | null;
  /** The last commit; null before the first. */
  highest: number | null;
  versions: VersionLine[];
  /** The version that is shown. */
  version: number;
  definition: FlowDefinition;
}

/** How two versions differ, in words. */
export interface VersionDifferences {
  differences: string[];
}

/** The flow with the share of each path; without a picture where it cannot be drawn. */
export interface ReportShown extends Partial<Drawn> {
  report: FlowReport;
}

/** Users who are in a block now. */
export interface UsersThere {
  users: string[];
  /** Whether there are no others. */
  isAll: boolean;
}
