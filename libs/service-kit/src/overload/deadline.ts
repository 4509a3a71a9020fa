import { DomainError } from '@waymark/domain/errors';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { IncomingMessage } from 'node:http';

/**
 * Answers 503 to requests that wait too long, whatever they wait for, so that a client always gets an answer. The time
 * counts from the arrival of the body, since a slow sender is not this side's fault, and includes the wait for admission.
 * One timer for all, because one timer per request is expensive.
 */
export class Deadline {
  private readonly waiting = new Map<FastifyReply, number>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly limitMs: number,
    private readonly waitedMs: (request: IncomingMessage) => number = () => 0,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.timer = setInterval(() => this.sweep(), 50).unref();
  }

  install(instance: FastifyInstance): void {
    instance.addHook('preHandler', (request, reply, done) => {
      this.waiting.set(reply, this.now() - this.waitedMs(request.raw));
      done();
    });
    instance.addHook('onSend', (_request, reply, _payload, done) => {
      this.waiting.delete(reply);
      done();
    });
  }

  /** Answers everything that is over its time. */
  sweep(): void {
    for (const [reply, since] of this.waiting) {
      if (this.now() - since < this.limitMs) continue;
      this.waiting.delete(reply);
      if (!reply.sent)
        reply.send(new DomainError('service.overloaded', `there was no answer within ${this.limitMs} ms, please try again`));
    }
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
