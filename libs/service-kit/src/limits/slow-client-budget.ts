/** What slow clients may hold in memory together: entries, bytes, and milliseconds for each. */
interface SlowClientLimits {
  readonly count: number;
  readonly bytes: number;
  readonly ms: number;
}

/**
 * Bounds the memory that slow clients hold: bodies still arriving, answers not read yet. Over the
 * limit the oldest entry is dropped, because a client that behaves is done long before it is the
 * oldest.
 */
export class SlowClientBudget<Entry> {
  private readonly entries = new Map<Entry, { bytes: number; since: number }>();
  private bytes = 0;

  constructor(
    private readonly limits: SlowClientLimits,
    private readonly drop: (entry: Entry) => void,
    private readonly now: () => number,
  ) {}

  get size(): number {
    return this.entries.size;
  }

  /** Adds bytes to an entry, which may be new. */
  add(entry: Entry, bytes: number): void {
    const known = this.entries.get(entry);
    if (known) known.bytes += bytes;
    else this.entries.set(entry, { bytes, since: this.now() });
    this.bytes += bytes;
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= this.limits.count && this.bytes <= this.limits.bytes) return;
      this.cut(oldest);
    }
  }

  /** The entry is done. Idempotent. */
  remove(entry: Entry): void {
    this.bytes -= this.entries.get(entry)?.bytes ?? 0;
    this.entries.delete(entry);
  }

  /** Drops entries that are over their time. */
  sweep(): void {
    const limit = this.now() - this.limits.ms;
    for (const [entry, { since }] of this.entries) {
      if (since > limit) return;
      this.cut(entry);
    }
  }

  private cut(entry: Entry): void {
    this.remove(entry);
    this.drop(entry);
  }
}
