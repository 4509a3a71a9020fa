/**
 * Lets some lines a second into the log, since there may be thousands when it is needed most. The first line afterwards can
 * say how many were left out.
 */
export class FewLines {
  private second = 0;
  private lines = 0;
  private leftOut = 0;

  constructor(
    private readonly perSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Undefined for a line too many; else what to add to the line. */
  take(): { readonly leftOut?: number } | undefined {
    const second = Math.floor(this.now() / 1_000);
    if (second !== this.second) this.lines = 0;
    this.second = second;
    if (++this.lines > this.perSecond) return void this.leftOut++;
    const { leftOut } = this;
    this.leftOut = 0;
    return leftOut > 0 ? { leftOut } : {};
  }
}
