import type { Explanation } from '@waymark/domain/analysis';
import type { NamedUser, UserView } from '@waymark/domain/records';
import type { JsonRow } from '../work/json-row.js';

export type UserShown = Omit<JsonRow<UserView>, 'events'> & {
  events: JsonRow<UserView['events'][number]>[];
};

/** A page of users by identifier. */
export interface UserListShown {
  users: readonly NamedUser[];
  /** The `after` of the next page; missing where there is none. */
  next?: string;
}

/**
 * Why a user sees what they see, with what people call the blocks that are active, by identifier.
 */
export interface ExplanationShown extends Explanation {
  names: Readonly<Record<string, string>>;
}

/** One step of a state: what happened, when, and by what cause. */
export interface HistoryEntry {
  revision: number;
  at: string;
  /** Such as `complete of welcome` or `reset`. */
  cause: string;
  /** Each in a few words. */
  changes: string[];
}

/** The result; the revision is that of the state afterwards. */
export interface ActionResult {
  tookEffect: boolean;
  revision: number;
}

/** The events that led to the present state of a user in a flow. */
export interface HistoryShown {
  flow: string;
  version: number;
  /** The newest ones, oldest first. */
  entries: HistoryEntry[];
  /** Events up to this revision were deleted; 0 where all are kept. */
  deletedTo: number;
  /** Whether earlier ones are kept that are not among these. */
  hasEarlier: boolean;
}
