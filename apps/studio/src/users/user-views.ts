import type { UserView } from '@waymark/domain/user-records';
import type { Told } from '../work/told.js';

export type UserShown = Told<UserView>;

/** One step of a state: what happened, when, and by what cause. */
export interface Happening {
  revision: number;
  at: string;
  /** Such as `complete of welcome` or `reset`. */
  cause: string;
  /** Each in a few words. */
  changes: string[];
}

/** What came of it; the revision is that of the state afterwards. */
export interface Acted {
  tookEffect: boolean;
  revision: number;
}

/** How a user came to where they are in a flow. */
export interface CourseShown {
  flow: string;
  version: number;
  happenings: Happening[];
}
