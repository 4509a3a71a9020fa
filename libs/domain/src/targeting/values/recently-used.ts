/**
 * Keeps what was used last, as much as fits: entries have a weight, and the longest unused go
 * first.
 */
export class RecentlyUsed<Value> {
  private readonly entries = new Map<string, { value: Value; weight: number }>();
  private weight = 0;

  constructor(private readonly capacity: number) {}

  find(key: string): Value | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  /** The newest entry stays even when it alone is heavier than the capacity. */
  set(key: string, value: Value, weight: number): void {
    this.delete(key);
    this.entries.set(key, { value, weight });
    this.weight += weight;
    for (const oldest of this.entries.keys()) {
      if (this.weight <= this.capacity || oldest === key) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.weight -= this.entries.get(key)?.weight ?? 0;
    this.entries.delete(key);
  }
}
