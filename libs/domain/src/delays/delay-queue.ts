import type { Database } from '../database/database.js';
import type { RequestTrace } from '../states/state/flow-event-row.js';
import {
  CLAIM_DELAYS,
  DELETE_DELAY,
  FIND_DUE_DELAYS,
  LOAD_DUE_DELAYS,
  MOST,
  PUT_DELAY_OFF,
  SET_DELAY,
  SETTLE_DELAYS,
  TAKE_DUE_DELAY,
} from './delay-statements.js';

/** A delay that is due, and in the hands of this process until its lease ends. */
export interface ClaimedDelay {
  readonly userId: string;
  readonly flow: string;
  readonly version: number;
  /** Its uid. */
  readonly block: string;
  /** Of the state that wrote the row. */
  readonly revision: number;
  /** Group of the request that entered it. */
  readonly group: string | null;
  readonly trace: RequestTrace | null;
  readonly environmentId: string;
  /** Its name. */
  readonly environment: string;
  readonly user: string;
  /** Committed versions in which the user had a state when it was claimed. */
  readonly versions: readonly number[];
}

/**
 * What to do with a row: delete it, or make it due at a time in milliseconds since 1970, or in so
 * many seconds.
 */
export type Settlement = 'gone' | { readonly dueAt: number } | { readonly seconds: number };

/** As many as one claim takes at most. */
export const MOST_CLAIMED = MOST;

/** Delays that are due in an environment. */
export interface DueDelays {
  /** Its name. */
  readonly environment: string;
  readonly due: number;
  readonly oldestSeconds: number;
}

/** The delays that wait in the database, shared by every replica. */
export class DelayQueue {
  constructor(private readonly database: Database) {}

  /** Those that have been due the longest and are in nobody's hands. */
  async claim(): Promise<ClaimedDelay[]> {
    if (await this.database.isDistributed()) return this.claimEach();
    return this.database.run<ClaimedDelay>(CLAIM_DELAYS, []);
  }

  /** Leaves those alone that a later state wrote. */
  async settle(all: readonly (readonly [ClaimedDelay, Settlement])[]): Promise<void> {
    if (all.length === 0) return;
    if (await this.database.isDistributed()) return this.settleEach(all);
    await this.database.run(SETTLE_DELAYS, [JSON.stringify(all.map(rowOf))]);
  }

  private async claimEach(): Promise<ClaimedDelay[]> {
    const claimed: ClaimedDelay[] = [];
    for (const delay of await this.database.run<ClaimedDelay>(FIND_DUE_DELAYS, [])) {
      const taken = await this.database.run(TAKE_DUE_DELAY, ownOf(delay));
      if (taken.length > 0) claimed.push(delay);
    }
    return claimed;
  }

  private async settleEach(all: readonly (readonly [ClaimedDelay, Settlement])[]): Promise<void> {
    for (const [delay, settlement] of all) {
      if (settlement === 'gone') await this.database.run(DELETE_DELAY, ownOf(delay));
      else if ('dueAt' in settlement)
        await this.database.run(SET_DELAY, [...ownOf(delay), settlement.dueAt]);
      else await this.database.run(PUT_DELAY_OFF, [...ownOf(delay), settlement.seconds]);
    }
  }
}

/** Of every environment, with zero where nothing is due; counted up to 100,000 in all. */
export const loadDueDelays = (database: Database): Promise<DueDelays[]> =>
  database.run(LOAD_DUE_DELAYS, []);

const ownOf = ({ userId, flow, version, block, revision }: ClaimedDelay): unknown[] => [
  userId,
  flow,
  version,
  block,
  revision,
];

function rowOf([delay, settlement]: readonly [ClaimedDelay, Settlement]) {
  const { userId, flow, version, block, revision } = delay;
  return {
    ...{ user_id: userId, flow, version, block, revision },
    due_at: typeof settlement === 'object' && 'dueAt' in settlement ? settlement.dueAt : null,
    pause: typeof settlement === 'object' && 'seconds' in settlement ? settlement.seconds : null,
  };
}
