import type { Logger } from 'pino';

const LINES_PER_SECOND = 10;

/**
 * Notes requests that were answered with 503, by their ids: at most ten lines a second, since there may be thousands of
 * them when the log is needed most. The first line afterwards says how many were left out.
 */
export class UnavailableLog {
  private second = 0;
  private lines = 0;
  private leftOut = 0;

  constructor(
    private readonly logger: Logger,
    private readonly now: () => number = () => performance.now(),
  ) {}

  note(requestId: string, why: string): void {
    const second = Math.floor(this.now() / 1_000);
    if (second !== this.second) this.lines = 0;
    this.second = second;
    if (++this.lines > LINES_PER_SECOND) return void this.leftOut++;
    this.logger.warn({ requestId, ...(this.leftOut > 0 && { leftOut: this.leftOut }) }, `unavailable: ${why}`);
    this.leftOut = 0;
  }
}
