import {
  blockState,
  type CompiledFlow,
  type CompiledSplit,
  type FlowState,
  type Uid,
} from '../../../engine/index.js';
import { compareShares, estimateShare, testShares } from './figures.js';
import type { SampleRatio, WayReport } from './split-report.js';

interface WayCount {
  people: number;
  finished: number;
  reached: number;
  /** Sent since the shares are what they are. */
  recent: number;
  readonly seconds: number[];
}

/** What is counted of one person. */
interface SentPerson {
  readonly way: string;
  readonly hasFinished: boolean;
  readonly hasReached: boolean;
  readonly isRecent: boolean;
}

/**
 * The way of a user whose states, from the oldest version to the newest, are these; the newest
 * counts.
 */
export function latestWay(states: readonly FlowState[], split: Uid): string | undefined {
  return states.map((state) => wayTaken(state, split)).findLast((way) => way !== undefined);
}

const wayTaken = (state: FlowState, split: Uid): string | undefined =>
  blockState(state, split).transitioned?.at(-1);

/** Adds up people by the way that they were sent (K3). */
export class SplitTally {
  private readonly counts: Map<string, WayCount>;

  constructor(private readonly split: CompiledSplit) {
    this.counts = new Map(split.ways.map(({ name }) => [name, newCount()]));
  }

  add({ way, hasFinished, hasReached, isRecent }: SentPerson): void {
    const count = this.countOf(way);
    count.people++;
    if (hasFinished) count.finished++;
    if (hasReached) count.reached++;
    if (isRecent) count.recent++;
  }

  addSeconds(way: string, seconds: number): void {
    this.countOf(way).seconds.push(seconds);
  }

  ways(hasGoal: boolean): WayReport[] {
    const shares = new Map(this.split.ways.map(({ name, share }) => [name, share]));
    const outcome = hasGoal ? 'reached' : 'finished';
    const [first] = this.counts.values();
    return [...this.counts].map(([way, count]) => ({
      way,
      share: shares.get(way) ?? null,
      people: count.people,
      finished: estimateShare(count.finished, count.people),
      ...(hasGoal && {
        goal: {
          ...estimateShare(count.reached, count.people),
          seconds: medianOf(count.seconds),
        },
      }),
      ...(count !== first && {
        difference: compareShares([count[outcome], count.people], [first![outcome], first!.people]),
      }),
    }));
  }

  /**
   * Of people who came since that version, along ways that some are sent along; undefined before
   * anybody came.
   */
  sampleRatio(since: number): SampleRatio | undefined {
    const counts = this.split.ways
      .filter(({ share }) => share > 0)
      .map(({ name, share }) => ({ share, people: this.countOf(name).recent }));
    const people = counts.reduce((sum, count) => sum + count.people, 0);
    if (people === 0 || counts.length < 2) return undefined;
    return { since, people, ...testShares(counts) };
  }

  private countOf(way: string): WayCount {
    const count = this.counts.get(way) ?? newCount();
    this.counts.set(way, count);
    return count;
  }
}

const newCount = (): WayCount => ({ people: 0, finished: 0, reached: 0, recent: 0, seconds: [] });

/** The time of one of the users, as in the report of blocks. */
function medianOf(seconds: readonly number[]): number | null {
  const sorted = seconds.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? null;
}

/**
 * Whether two versions of a split send people by the same shares; the order of ways decides nothing
 * but ties.
 */
export function hasSameShares(split: CompiledSplit, flow: CompiledFlow): boolean {
  const other = flow.byUid.get(split.uid);
  if (other?.kind !== 'split' || other.by !== split.by) return false;
  return sharesOf(split) === sharesOf(other);
}

const sharesOf = ({ ways }: CompiledSplit): string =>
  JSON.stringify(
    ways
      .filter(({ share }) => share > 0)
      .map(({ name, share }) => [name, share])
      .sort(),
  );
