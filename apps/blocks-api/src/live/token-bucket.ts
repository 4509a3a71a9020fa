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

  /** False where no token is left. */
  take(): boolean {
    const now = this.now();
    this.tokens = Math.min(2 * this.perSecond, this.tokens + ((now - this.filledAt) / 1000) * this.perSecond);
    this.filledAt = now;
    if (this.tokens < 1) return false;
    this.tokens--;
    return true;
  }
}
