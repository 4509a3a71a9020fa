import type { DataSource } from 'typeorm';
import type { Meeting } from './foresee.js';
import type { PlanScope } from './load-planned.js';
import type { PlanTally } from './plan-tally.js';
import type { Triggered } from './triggered.js';

/** One way in which users may meet the version, and what it comes to. */
export interface Prospect {
  readonly meeting: Meeting;
  readonly tally: PlanTally;
}

/** What is looked at, and for what. */
export interface PlanRun {
  readonly dataSource: DataSource;
  readonly scope: PlanScope;
  readonly prospects: readonly Prospect[];
  /** What `latest` is now; null before the first commit. */
  readonly present: Meeting | null;
  readonly triggered: Triggered;
  /** The time of the database, which is the same for everybody (S30). */
  readonly now: number;
  /** Whether it matters who would enter. */
  readonly entries: boolean;
  readonly sample: number;
}
