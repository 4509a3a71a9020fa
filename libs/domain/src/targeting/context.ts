import type { Json } from '../engine/definition.js';

/** A user or a group, as expressions see it (S29). Times are milliseconds since 1970, UTC. */
export interface Subject {
  readonly identifier: string;
  readonly properties: { readonly [key: string]: Json };
  readonly createdAt: number;
  readonly updatedAt: number;
}

/**
 * Who asks, in which group, and when: all that expressions may look at (S15, S29). `now` is one value for a whole step (S30),
 * milliseconds since 1970.
 */
export interface Context {
  readonly now: number;
  readonly user: Subject;
  /** Missing group: every `group.…` is null (S29). */
  readonly group: Subject | null;
}
