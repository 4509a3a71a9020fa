import type { ClientRequest } from 'node:http';
import { SendFailure } from './send-failure.js';

/**
 * Ends a request that has no answer in time, or when it is told to stop. By hand, since `AbortSignal.any` and `timeout` cost
 * as much as the request itself.
 */
export class SendTimeout {
  private request: ClientRequest | undefined;
  private readonly timer: NodeJS.Timeout;
  private why: Error | undefined;

  constructor(
    timeoutMs: number,
    private readonly stop: AbortSignal,
  ) {
    stop.throwIfAborted();
    const late = (): void => this.end(new SendFailure('webhook.no-answer', `no answer within ${timeoutMs / 1000} s`));
    this.timer = setTimeout(late, timeoutMs);
    stop.addEventListener('abort', this.onStop);
  }

  /** The request to be ended, from now on. */
  set(request: ClientRequest): void {
    this.request = request;
    if (this.why) request.destroy(this.why);
  }

  lift(): void {
    clearTimeout(this.timer);
    this.stop.removeEventListener('abort', this.onStop);
  }

  private readonly onStop = (): void => this.end(this.stop.reason as Error);

  private end(why: Error): void {
    this.why = why;
    this.request?.destroy(why);
  }
}
