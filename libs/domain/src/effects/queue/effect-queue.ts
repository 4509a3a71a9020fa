import type { Database } from '../../database/database.js';
import type { ClaimedEffect } from './claimed-effect.js';
import { claimEach } from './claim-each.js';
import { type Claim, ownOf } from './claim.js';
import { CLAIM, FAIL, FINISH, POSTPONE, RELEASE } from './effect-statements.js';

type ClaimRow = { putOff: number } & (ClaimedEffect | { id: null });

/** The effects that wait in the database, shared by every replica. */
export class EffectQueue {
  constructor(private readonly database: Database) {}

  /**
   * Effects that are due, held by nobody, and wait for none before them. At most `slots` of each queue, minus those already
   * in hand.
   */
  async claim(slots: number, inHand: ReadonlyMap<string, number> = new Map()): Promise<Claim> {
    if (await this.database.isDistributed()) return claimEach(this.database, slots, inHand);
    const rows = await this.database.run<ClaimRow>(CLAIM, [slots, JSON.stringify(Object.fromEntries(inHand))]);
    const effects = rows.filter((row): row is { putOff: number } & ClaimedEffect => row.id !== null);
    return { effects, putOff: rows[0]?.putOff ?? 0 };
  }

  async finish(effect: ClaimedEffect): Promise<void> {
    await this.database.run(FINISH, ownOf(effect));
  }

  async postpone(effect: ClaimedEffect, error: string, seconds: number): Promise<void> {
    await this.database.run(POSTPONE, [...ownOf(effect), error, seconds]);
  }

  /** Kept for the operator, who can have it tried again. */
  async fail(effect: ClaimedEffect, error: string): Promise<void> {
    await this.database.run(FAIL, [...ownOf(effect), error]);
  }

  /** Given back without an outcome: it may have arrived, but it has not failed. */
  async release(effect: ClaimedEffect): Promise<void> {
    await this.database.run(RELEASE, ownOf(effect));
  }
}
