import type { Database } from '../../database/database.js';
import { type ClaimedEffect, type Claim, ownOf } from './claimed-effect.js';
import {
  CLAIM,
  FAIL,
  FINISH,
  POSTPONE,
  RELEASE,
  FIND_DUE,
  PUT_OFF_DUE,
  TAKE_DUE,
} from './effect-statements.js';

type ClaimRow = { putOff: number } & (ClaimedEffect | { id: null });

interface DueEffect extends ClaimedEffect {
  /** For another one of its state. */
  readonly waits: boolean;
}

/** Half the age, as the claim in one statement has it, in seconds. */
const PAUSE = { least: 1, most: 600 };

const byAge = (one: ClaimedEffect, other: ClaimedEffect): number =>
  one.createdAt.getTime() - other.createdAt.getTime() ||
  one.revision - other.revision ||
  one.position - other.position;

/** The effects that wait in the database, shared by every replica. */
export class EffectQueue {
  constructor(private readonly database: Database) {}

  /**
   * Effects that are due, held by nobody, and wait for none before them. At most `slots` of each
   * queue, minus those already in hand.
   */
  async claim(slots: number, inHand: ReadonlyMap<string, number> = new Map()): Promise<Claim> {
    if (await this.database.isDistributed()) return claimEach(this.database, slots, inHand);
    const rows = await this.database.run<ClaimRow>(CLAIM, [
      slots,
      JSON.stringify(Object.fromEntries(inHand)),
    ]);
    const effects = rows.filter(
      (row): row is { putOff: number } & ClaimedEffect => row.id !== null,
    );
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

/**
 * Claims effects where tables are distributed (G1), which one statement cannot do: finds what is
 * due without locks, then takes each by its key, unless another process was first. Queues that are
 * full are left out.
 */
export async function claimEach(
  database: Database,
  slots: number,
  inHand: ReadonlyMap<string, number>,
): Promise<Claim> {
  const counts = new Map(inHand);
  const full = [...inHand].filter(([, count]) => count >= slots).map(([queue]) => queue);
  const due = await database.run<DueEffect>(FIND_DUE, [full]);
  const effects: ClaimedEffect[] = [];
  let putOff = 0;
  for (const { waits, ...effect } of due) {
    if (waits) {
      putOff += (await database.run(PUT_OFF_DUE, [...ownOf(effect), pauseOf(effect)])).length;
    } else if ((counts.get(effect.queue) ?? 0) < slots) {
      const [taken] = await database.run<{ attempts: number }>(TAKE_DUE, ownOf(effect));
      if (!taken) continue;
      effects.push({ ...effect, attempts: taken.attempts });
      counts.set(effect.queue, (counts.get(effect.queue) ?? 0) + 1);
    }
  }
  return { effects: effects.sort(byAge), putOff };
}

function pauseOf({ now, createdAt }: ClaimedEffect): number {
  const half = (now.getTime() - createdAt.getTime()) / 2_000;
  return Math.min(PAUSE.most, Math.max(PAUSE.least, half));
}
