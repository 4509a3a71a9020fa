import { DomainError } from '@waymark/domain/database/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Logger } from 'pino';
import { answerOf, envelopeOf, type ErrorAnswer } from './answer.js';

declare module 'fastify' {
  interface FastifyReply {
    /** What exactly was refused, such as `user.unknown`: for the log, without identifiers. */
    refusedFor?: string;
  }
}

/**
 * Answers a request with the envelope of an error, unless it was answered already; returns what it
 * made of the error.
 */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): ErrorAnswer {
  const answer = answerOf(error, request.routeOptions?.bodyLimit);
  if (reply.sent) return answer;
  if (error instanceof DomainError) reply.refusedFor = error.code;
  // Fastify closes the connection after a body it refused; closing on a client that still sends
  // loses it the answer.
  reply.removeHeader('connection');
  void reply.code(answer.status).headers(answer.headers).send(envelopeOf(answer, request.id));
  return answer;
}

/** Turns everything that is thrown, by whichever layer, into the envelope (W2). */
@Catch()
export class EnvelopeFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly unavailable: { note(requestId: string, why: string): void },
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const { status, details } = sendError(error, request, http.getResponse<FastifyReply>());
    if (status === 500)
      this.logger.error({ err: error, requestId: request.id }, 'a request failed');
    if (status === 503) this.unavailable.note(request.id, details);
  }
}
