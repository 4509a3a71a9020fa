const KEPT_MS = 60_000;

/** Loads a value at most once a minute and shares it between callers. */
export class Cached<Value> {
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
