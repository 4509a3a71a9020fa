import type { Logger } from 'pino';
import { FewLines } from './few-lines.js';

/** One request that was answered with 4xx. The pattern of its route, since its address tells of users. */
export interface RefusedRequest {
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
  private readonly few: FewLines;

  constructor(
    private readonly logger: Logger,
    now?: () => number,
  ) {
    this.few = new FewLines(10, now);
  }

  note(request: RefusedRequest): void {
    const more = this.few.take();
    if (more) this.logger.info({ ...request, ...more }, 'refused');
  }
}
