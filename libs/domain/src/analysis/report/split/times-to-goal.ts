import type { DataSource } from 'typeorm';
import type { Uid } from '../../../engine/index.js';
import { loadTimedEvents, type StateScope, type TimedEvent } from '../../reader/load-states.js';

/** Users whose events are in memory at once. */
const AT_ONCE = 200;

interface SplitGoal {
  readonly split: Uid;
  readonly block: Uid;
  readonly name: string;
}

/**
 * How long users took from the split to taking a name of a block, since their last reset, as far as
 * their events show it (K3).
 */
export async function* loadTimesToGoal(
  dataSource: DataSource,
  scope: StateScope,
  userIds: readonly string[],
  asked: SplitGoal,
): AsyncGenerator<{ userId: string; seconds: number }> {
  for (let first = 0; first < userIds.length; first += AT_ONCE) {
    const events = await loadTimedEvents(dataSource, scope, userIds.slice(first, first + AT_ONCE));
    const byUser = new Map<string, TimedEvent[]>();
    for (const event of events) {
      const own = byUser.get(event.userId);
      if (own) own.push(event);
      else byUser.set(event.userId, [event]);
    }
    for (const [userId, own] of byUser) {
      const seconds = timeBetween(own, asked);
      if (seconds !== null) yield { userId, seconds };
    }
  }
}

/**
 * From first being sent to first taking the name afterwards; null where either is not among the
 * events.
 */
function timeBetween(
  events: readonly TimedEvent[],
  { split, block, name }: SplitGoal,
): number | null {
  let sent: number | null = null;
  let reached: number | null = null;
  for (const { at, event } of events) {
    const { cause, changes } = event;
    // A migration that carries nothing over begins afresh.
    if (cause.kind === 'migrated' && cause.strategy !== 'carry-over')
      [sent, reached] = [null, null];
    for (const change of changes) {
      if (change.kind === 'cleared') [sent, reached] = [null, null];
      if (change.kind !== 'transitioned') continue;
      if (change.block === split) sent ??= at;
      if (change.block === block && change.name === name && sent !== null) reached ??= at;
    }
  }
  return sent === null || reached === null ? null : (reached - sent) / 1_000;
}
