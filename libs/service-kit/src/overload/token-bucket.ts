const monotonic = (): number => performance.now();

/** Limits a rate: fills up with so many tokens a second and holds two seconds' worth, as a deploy brings everybody at once. */
export class TokenBucket {
  private tokens: number;
  private filledAt: number;

  constructor(
    private readonly perSecond: number,
    private readonly now: () => number = monotonic,
  ) {
    this.tokens = 2 * perSecond;
    this.filledAt = now();
  }

  /** False where no token is left. What costs more than is there leaves a debt that has to fill up first. */
  take(cost = 1): boolean {
    if (this.isEmpty) return false;
    this.tokens -= cost;
    return true;
  }

  /** Takes what is used already, whether it is there or not; what is missing is a debt as well. */
  charge(cost: number): void {
    this.fill();
    this.tokens -= cost;
  }

  get isEmpty(): boolean {
    this.fill();
    return this.tokens < 1;
  }

  /** Nobody has taken from it lately: a new one would be the same. */
  get isFull(): boolean {
    this.fill();
    return this.tokens >= 2 * this.perSecond;
  }

  private fill(): void {
    const now = this.now();
    this.tokens = Math.min(2 * this.perSecond, this.tokens + ((now - this.filledAt) / 1000) * this.perSecond);
    this.filledAt = now;
  }
}
