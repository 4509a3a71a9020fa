import type { Logger } from 'pino';
import { FewLines } from './few-lines.js';

/** Notes requests that were answered with 503, by their ids: at most ten lines a second. */
export class UnavailableLog {
  private readonly few: FewLines;

  constructor(
    private readonly logger: Logger,
    now?: () => number,
  ) {
    this.few = new FewLines(10, now);
  }

  note(requestId: string, why: string): void {
    const more = this.few.take();
    if (more) this.logger.warn({ requestId, ...more }, `unavailable: ${why}`);
  }
}
