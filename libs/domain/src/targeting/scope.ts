import type { Json } from '../engine/definition.js';

/** A user or a group, as expressions see it (S29). Times are milliseconds since 1970, UTC. */
export interface Subject {
  readonly identifier: string;
  readonly properties: { readonly [key: string]: Json };
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Everything an expression may look at. `now` is one value for a whole step (S30), milliseconds since 1970. */
export interface Scope {
  readonly now: number;
  readonly user: Subject;
  /** Missing group: every `group.…` is null (S29). */
  readonly group: Subject | null;
}
