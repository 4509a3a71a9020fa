import type { DataSource } from 'typeorm';
import type { ResolvedFlow } from '../../flows/index.js';
import type { EqualHighest, PriorState, StateScope } from '../reader/load-states.js';
import type { PlanTally } from './plan-tally.js';
import type { Triggered } from './triggered.js';

/** Users with what readers of `latest` find now, where that is not the highest commit. */
export interface PlannedRow extends EqualHighest {
  readonly found?: PriorState | null;
}

/** One strategy of migration, with the counts of what it does. */
interface Scenario {
  readonly planned: ResolvedFlow;
  readonly tally: PlanTally;
}

/** What is looked at, and for what. */
export interface PlanRun {
  readonly dataSource: DataSource;
  readonly scope: StateScope;
  /** Names of the properties that conditions look at; null where they look at all. */
  readonly properties: readonly string[] | null;
  readonly scenarios: readonly Scenario[];
  /** What `latest` is now; null before the first commit. */
  readonly present: ResolvedFlow | null;
  readonly triggered: Triggered;
  /** The time of the database, which is the same for everybody (S30). */
  readonly now: number;
  /** Whether it matters who would enter. */
  readonly entries: boolean;
  readonly sample: number;
}
