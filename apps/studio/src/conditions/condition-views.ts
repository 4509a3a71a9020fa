import type { MatchingPage, NamedUser } from '@waymark/domain/records';

/**
 * Names that lead to properties, the outermost first and `['address', 'city']` behind `['address']`; never values. For whoever
 * writes a condition (T9).
 */
export interface PropertyNames {
  user: (readonly string[])[];
  group: (readonly string[])[];
}

/** A page of users whom a condition means. */
export interface MatchingUsersPage extends Omit<MatchingPage, 'users'> {
  users: readonly NamedUser[];
}
