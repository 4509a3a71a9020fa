import type { DataSource } from 'typeorm';
import type { Uid } from '../../engine/index.js';
import { loadTimedEvents, type StateScope, type TimedEvent } from '../reader/load-states.js';
import { Timeline } from '../reader/timeline.js';
import { AnswerTally } from './answer-tally.js';
import type { BlockReport, BranchReport, DayReport } from './flow-report.js';

/** Users whose events are in memory at once. */
const AT_ONCE = 200;

/**
 * How long blocks take users, what they answer, where branches send them, and when they start and
 * finish, as far as events show it (E13).
 */
export class BlockTimings {
  users = 0;
  readonly answers = new AnswerTally();
  private readonly seconds = new Map<Uid, number[]>();
  private readonly outcomes = new Map<Uid, { true: number; false: number }>();
  private readonly byDay = new Map<string, { started: number; finished: number }>();

  /** Goes through the events of each user. Users without events, pruned ones say, count too. */
  async follow(
    dataSource: DataSource,
    scope: StateScope,
    userIds: readonly string[],
  ): Promise<void> {
    for (let first = 0; first < userIds.length; first += AT_ONCE) {
      const some = userIds.slice(first, first + AT_ONCE);
      const events = new Map(some.map((userId) => [userId, [] as TimedEvent[]]));
      for (const event of await loadTimedEvents(dataSource, scope, some))
        events.get(event.userId)?.push(event);
      for (const own of events.values()) this.add(Timeline.of(own));
    }
  }

  /** Median and 90th percentile, each the time of one of the users. */
  secondsOf(uid: Uid): BlockReport['seconds'] {
    const sorted = (this.seconds.get(uid) ?? []).sort((a, b) => a - b);
    const rank = (share: number): number | null =>
      sorted[Math.ceil(share * sorted.length) - 1] ?? null;
    return { median: rank(0.5), p90: rank(0.9) };
  }

  outcomesOf(uid: Uid): { true: number; false: number } & BranchReport['outcomes'] {
    const counts = this.outcomes.get(uid) ?? { true: 0, false: 0 };
    this.outcomes.set(uid, counts);
    return counts;
  }

  /** The earliest first. */
  days(): DayReport[] {
    return [...this.byDay]
      .map(([day, counts]) => ({ day, ...counts }))
      .sort((a, b) => (a.day < b.day ? -1 : 1));
  }

  private add({ flags, visits, outcomes, answers }: Timeline<TimedEvent>): void {
    this.users++;
    for (const flag of ['started', 'finished'] as const) {
      const by = flags.get(flag);
      if (by) this.dayOf(by.at)[flag]++;
    }
    for (const [uid, { entered, left }] of visits)
      if (left !== undefined) this.addTime(uid, (left.at - entered.at) / 1000);
    for (const { event } of answers)
      if (event.cause.kind === 'transition') this.answers.add(event.cause.block, event.cause.data!);
    for (const [uid, taken] of outcomes) {
      const counts = this.outcomesOf(uid);
      for (const outcome of taken.all) counts[`${outcome}`]++;
    }
  }

  private dayOf(at: number): { started: number; finished: number } {
    const day = new Date(at).toISOString().slice(0, 10);
    const counts = this.byDay.get(day) ?? { started: 0, finished: 0 };
    this.byDay.set(day, counts);
    return counts;
  }

  private addTime(uid: Uid, seconds: number): void {
    const known = this.seconds.get(uid);
    if (known) known.push(seconds);
    else this.seconds.set(uid, [seconds]);
  }
}
