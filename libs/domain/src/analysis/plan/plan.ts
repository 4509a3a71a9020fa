import type { MigrationStrategy } from '../../engine/index.js';
import type { Difference } from '../../flow-files/index.js';
import type { SampleReport } from '../reader/read-pages.js';

/** What committing a definition would do to the users of an environment, by one strategy (I2). */
export interface Plan {
  readonly flow: string;
  /** The version that it would become, or the one that it does not differ from. */
  readonly version: number;
  readonly migration: MigrationStrategy;
  /** False where it is the same as the last version, so that a commit makes none. */
  readonly differs: boolean;
  /**
   * Only where the environment pins a version: users meet the planned one when it is unpinned, not
   * before (S34).
   */
  readonly pinned?: number;
  /**
   * Only where `latest` is what is pinned: users meet the planned version when it is pinned, not
   * before (Z10).
   */
  readonly releasesByPin?: boolean;
  /** Between the last version and this one, in words; nothing for a first version. */
  readonly differences: readonly Difference[];
  readonly users: PlannedUsers;
  /**
   * How often webhooks and triggers would fire, by block; those of triggered flows, one level deep,
   * as `flow.block`.
   */
  readonly effects: Readonly<Record<string, number>>;
  /**
   * Only on request: who would enter at the next read and would not now, and the other way round.
   */
  readonly entries?: { readonly enter: number; readonly leave: number };
  /** Only where not everybody was looked at. */
  readonly sampled?: SampleReport;
  readonly examples: readonly PlanExample[];
  /** What has to be known to read the numbers. */
  readonly notes: readonly string[];
}

/**
 * Users who have a state in a committed version, as requests meet them that name no group (S33).
 * Who is restarted and finished by it at once counts for both.
 */
export interface PlannedUsers {
  readonly total: number;
  /** None of the following happens to them. */
  readonly kept: number;
  readonly restarted: number;
  readonly stopped: number;
  readonly finished: number;
  /** Users who are in at least one block that is no longer there. */
  readonly losing: number;
  /** The same users by block: who is in a container and in an item of it counts for both. */
  readonly lost: Readonly<Record<string, number>>;
  /** Users who pass a gate by it, by gate. */
  readonly gates: Readonly<Record<string, number>>;
  /**
   * Users whose way through a split is gone, so that it is chosen anew when they come there again,
   * as `split:way` (K2).
   */
  readonly ways?: Readonly<Record<string, number>>;
  /**
   * Users who wait in a delay whose time is another than in the last version, and who keep until
   * when they wait, by delay (Z4).
   */
  readonly delays?: Readonly<Record<string, number>>;
  /** What happens to them differs if the application names a certain one of their groups. */
  readonly dependsOnGroup: number;
}

/** Some of the affected users. */
export interface PlanExample {
  readonly what: 'restarted' | 'stopped' | 'finished' | 'lost' | 'enter' | 'leave';
  /** The block that they lose. */
  readonly block?: string;
  readonly users: readonly string[];
}
