import { DomainError } from '@waymark/domain/errors';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { IncomingMessage } from 'node:http';

declare module 'fastify' {
  interface FastifyReply {
    /** While it is to be answered by a deadline. */
    wait: Wait | null;
  }
}

/** One that waits to be answered, without its reply once it is. */
interface Wait {
  reply: FastifyReply | undefined;
  readonly since: number;
}

/**
 * Answers 503 to requests that wait too long, whatever they wait for, so that a client always gets an answer. The time
 * counts from the arrival of the body, since a slow sender is not this side's fault, and includes the wait for admission.
 * One timer for all, because one timer per request is expensive; and a list instead of a Map, for the reason that
 * `SlotClaim` gives.
 */
export class Deadline {
  private waiting: Wait[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly limitMs: number,
    private readonly waitedMs: (request: IncomingMessage) => number = () => 0,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.timer = setInterval(() => this.sweep(), 50).unref();
  }

  install(instance: FastifyInstance): void {
    instance.decorateReply('wait', null);
    instance.addHook('preHandler', (request, reply, done) => {
      reply.wait = { reply, since: this.now() - this.waitedMs(request.raw) };
      this.waiting.push(reply.wait);
      done();
    });
    instance.addHook('onSend', (_request, reply, _payload, done) => {
      if (reply.wait) reply.wait.reply = undefined;
      done();
    });
  }

  /** Answers everything that is over its time. */
  sweep(): void {
    this.waiting = this.waiting.filter(({ reply }) => reply && !reply.sent);
    const latest = this.now() - this.limitMs;
    for (const { reply, since } of this.waiting) {
      if (since <= latest) reply?.send(this.tooLate());
    }
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private tooLate(): DomainError {
    return new DomainError('service.overloaded', `there was no answer within ${this.limitMs} ms, please try again`);
  }
}
