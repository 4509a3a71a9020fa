const KEPT_MS = 60_000;

/** Loads something once a minute at most, for all who ask for it again and again, such as whoever types. */
export class Kept<Value> {
  private last: { until: number; value: Promise<Value> } | undefined;

  constructor(private readonly load: () => Promise<Value>) {}

  get(): Promise<Value> {
    if (this.last && this.last.until > Date.now()) return this.last.value;
    const value = this.load();
    this.last = { until: Date.now() + KEPT_MS, value };
    value.catch(() => (this.last = undefined));
    return value;
  }
}
