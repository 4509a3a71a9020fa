import type { MatchingPage, NamedUser } from '@waymark/domain/records';

/**
 * Names that lead to properties, the outermost first and `['address', 'city']` behind
 * `['address']`; never values. They complete conditions as they are written (T9).
 */
export interface PropertyNames {
  user: (readonly string[])[];
  group: (readonly string[])[];
}

/** What a condition may name. */
export interface ConditionNames extends PropertyNames {
  /** Those that it may mention (Z6). */
  segments: readonly string[];
  /** What users did, by its name (Z2). */
  events: readonly string[];
}

/** A page of users for whom a condition holds. */
export interface MatchingUsersPage extends Omit<MatchingPage, 'users'> {
  users: readonly NamedUser[];
}
