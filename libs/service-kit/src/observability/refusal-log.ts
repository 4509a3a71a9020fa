import type { Logger } from 'pino';

/**
 * One request that was answered with 4xx. It has the pattern of the route, since the address names
 * users.
 */
interface RefusedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  /** As the answer has it, such as `not_found_error`. */
  readonly code: string;
  /** What exactly was refused, such as `user.unknown`, where that is known. */
  readonly reason?: string;
}

/** Notes refused requests, so that one can be found by its id: at most ten lines a second. */
export class RefusalLog {
  private readonly few: LineRateLimit;

  constructor(
    private readonly logger: Logger,
    now?: () => number,
  ) {
    this.few = new LineRateLimit(10, now);
  }

  note(request: RefusedRequest): void {
    const more = this.few.take();
    if (more) this.logger.info({ ...request, ...more }, 'refused');
  }
}

/** Notes requests that were answered with 503, by their ids: at most ten lines a second. */
export class UnavailableLog {
  private readonly few: LineRateLimit;

  constructor(
    private readonly logger: Logger,
    now?: () => number,
  ) {
    this.few = new LineRateLimit(10, now);
  }

  note(requestId: string, why: string): void {
    const more = this.few.take();
    if (more) this.logger.warn({ requestId, ...more }, `unavailable: ${why}`);
  }
}

/** Lets so many lines a second into the log, and says in the next one how many were left out. */
class LineRateLimit {
  private second = 0;
  private lines = 0;
  private leftOut = 0;

  constructor(
    private readonly perSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** What to add to the line; undefined for a line too many. */
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
