import type { Database } from '../../database/database.js';
import { type Claim, ownOf } from './claim.js';
import type { ClaimedEffect } from './claimed-effect.js';
import { FIND_DUE, PUT_OFF_DUE, TAKE_DUE } from './effect-statements.js';

interface DueEffect extends ClaimedEffect {
  /** For another one of its state. */
  readonly waits: boolean;
}

/** Half the age, as the claim in one statement has it, in seconds. */
const PAUSE = { least: 1, most: 600 };

/**
 * Claims effects where tables are distributed (G1), which one statement cannot do: finds what is due without locks, then
 * takes each by its key unless somebody else did meanwhile. Queues that are full are left out.
 */
export async function claimEach(database: Database, slots: number, inHand: ReadonlyMap<string, number>): Promise<Claim> {
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

const byAge = (one: ClaimedEffect, other: ClaimedEffect): number =>
  one.createdAt.getTime() - other.createdAt.getTime() || one.revision - other.revision || one.position - other.position;
