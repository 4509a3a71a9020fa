import { TokenBucket } from './token-bucket.js';

/** Names that are remembered at most: beyond that the one that was new the longest ago starts afresh. */
const MOST_NAMES = 100_000;
const MOST_UNSWEPT = 1_000;

/** A token bucket for each name, of those that have taken from it lately. */
export class Buckets {
  private readonly byName = new Map<string, TokenBucket>();
  private sweepAt = MOST_UNSWEPT;

  constructor(
    private readonly perSecond: number,
    private readonly now?: () => number,
  ) {}

  get size(): number {
    return this.byName.size;
  }

  /** False where nothing is left of what the name may take. */
  take(name: string, cost = 1): boolean {
    return this.of(name).take(cost);
  }

  charge(name: string, cost: number): void {
    this.of(name).charge(cost);
  }

  isEmpty(name: string): boolean {
    return this.byName.get(name)?.isEmpty === true;
  }

  /** Forgets names that have taken nothing lately, whenever there are twice as many as were left the last time. */
  private sweep(): void {
    for (const [name, bucket] of this.byName) if (bucket.isFull) this.byName.delete(name);
    this.sweepAt = Math.max(MOST_UNSWEPT, 2 * this.byName.size);
  }

  private of(name: string): TokenBucket {
    return this.byName.get(name) ?? this.add(name);
  }

  private add(name: string): TokenBucket {
    if (this.byName.size >= this.sweepAt) this.sweep();
    if (this.byName.size >= MOST_NAMES) this.byName.delete(this.byName.keys().next().value!);
    const bucket = new TokenBucket(this.perSecond, this.now);
    this.byName.set(name, bucket);
    return bucket;
  }
}
