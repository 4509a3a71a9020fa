import { DomainError } from '@waymark/domain/database/errors';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { IncomingMessage } from 'node:http';

declare module 'fastify' {
  interface FastifyReply {
    /** Set while it is to be answered by a deadline. */
    wait: Wait | null;
  }
}

/** A request that waits for its answer; the reply is dropped once that is sent. */
interface Wait {
  reply: FastifyReply | undefined;
  readonly since: number;
}

/**
 * Answers 503 to requests that take too long, so that a client always gets an answer. The time
 * counts from the arrival of the body, since a slow sender is not the server's fault, and includes
 * the wait for a slot. One timer serves all, because a timer per request is expensive; and a list
 * instead of a Map, which only a full garbage collection frees.
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

  /** Answers every request that is over its time. */
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
    return new DomainError(
      'service.overloaded',
      `there was no answer within ${this.limitMs} ms, please try again`,
    );
  }
}
