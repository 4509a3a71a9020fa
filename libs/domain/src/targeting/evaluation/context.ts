import type { Json } from '../json/json.js';

/** A user or a group, as expressions see it (S29). Times are milliseconds since 1970, UTC. */
export interface Subject {
  readonly identifier: string;
  readonly properties: { readonly [key: string]: Json };
  /** Null for a group that was named and never identified (B3). */
  readonly createdAt: number | null;
  readonly updatedAt: number | null;
  /** What a user did, by name; of those that conditions look at (Z2). */
  readonly events?: { readonly [name: string]: EventCount };
}

/** How often something happened, and when first and last, in milliseconds since 1970. */
interface EventCount {
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

/**
 * Who asks, in which group, and when: all that expressions may look at (S15, S29). `now` is one
 * value for a whole step (S30), milliseconds since 1970.
 */
export interface Context {
  readonly now: number;
  readonly user: Subject;
  /** The group that the request names; null where it names none. */
  readonly group: Subject | null;
  /**
   * Those that the user belongs to, in the order of their identifiers: without a named group,
   * `group` is one of them (S33).
   */
  readonly groups?: readonly Subject[];
  /**
   * Ids of the user and of the group that the request names: splits go by them, conditions do not
   * see them (K1).
   */
  readonly userId?: string;
  readonly groupId?: string | null;
}
