export interface HeldLimits {
  readonly count: number;
  readonly bytes: number;
  /** Milliseconds until it has to be done. */
  readonly ms: number;
}

/**
 * What slow clients hold up: bodies that are still arriving, answers that are not read yet. When there are too many, or
 * they are too large together, the one that has been held up the longest has to go: a client that does what it should is
 * done long before it is the oldest.
 */
export class Held<Item> {
  private readonly items = new Map<Item, { bytes: number; since: number }>();
  private bytes = 0;

  constructor(
    private readonly limits: HeldLimits,
    private readonly drop: (item: Item) => void,
    private readonly now: () => number,
  ) {}

  get size(): number {
    return this.items.size;
  }

  /** Counts so many bytes more for an item, which is new or there already. */
  add(item: Item, bytes: number): void {
    const entry = this.items.get(item);
    if (entry) entry.bytes += bytes;
    else this.items.set(item, { bytes, since: this.now() });
    this.bytes += bytes;
    for (const oldest of this.items.keys()) {
      if (this.items.size <= this.limits.count && this.bytes <= this.limits.bytes) return;
      this.cut(oldest);
    }
  }

  /** It is done, or gone. */
  remove(item: Item): void {
    this.bytes -= this.items.get(item)?.bytes ?? 0;
    this.items.delete(item);
  }

  /** Drops what takes too long. */
  sweep(): void {
    const limit = this.now() - this.limits.ms;
    for (const [item, { since }] of this.items) {
      if (since > limit) return;
      this.cut(item);
    }
  }

  private cut(item: Item): void {
    this.remove(item);
    this.drop(item);
  }
}
