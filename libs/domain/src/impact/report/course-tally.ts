import type { Uid } from '../../engine/index.js';
import type { Course } from './course.js';
import type { BlockReport, BranchReport } from './flow-report.js';

/** What the courses of many users come to: how long blocks take them, and where branches send them (E13). */
export class CourseTally {
  users = 0;
  private readonly seconds = new Map<Uid, number[]>();
  private readonly outcomes = new Map<Uid, { true: number; false: number }>();

  add(course: Course): void {
    this.users++;
    for (const [uid, { entered, left }] of course.visits) if (left !== undefined) this.addTime(uid, (left - entered) / 1000);
    for (const [uid, taken] of course.outcomes) {
      const counts = this.outcomesOf(uid);
      for (const outcome of taken) counts[`${outcome}`]++;
    }
  }

  /** Median and 90th percentile, each the time of one of the users. */
  secondsOf(uid: Uid): BlockReport['seconds'] {
    const sorted = (this.seconds.get(uid) ?? []).sort((a, b) => a - b);
    const rank = (share: number): number | null => sorted[Math.ceil(share * sorted.length) - 1] ?? null;
    return { median: rank(0.5), p90: rank(0.9) };
  }

  outcomesOf(uid: Uid): { true: number; false: number } & BranchReport['outcomes'] {
    const counts = this.outcomes.get(uid) ?? { true: 0, false: 0 };
    this.outcomes.set(uid, counts);
    return counts;
  }

  private addTime(uid: Uid, seconds: number): void {
    const known = this.seconds.get(uid);
    if (known) known.push(seconds);
    else this.seconds.set(uid, [seconds]);
  }
}
