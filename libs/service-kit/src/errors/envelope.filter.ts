import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { answerOf, envelopeOf } from './answer.js';

/** Turns everything that is thrown, by whichever layer, into the envelope (W2). */
@Catch()
export class EnvelopeFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const answer = answerOf(error);
    if (answer.status === 500) this.logger.error({ err: error, requestId: request.id }, 'a request failed');
    if (reply.sent) return;
    // Fastify closes the connection after a body it refused; closing on a client that still sends loses it the answer.
    reply.removeHeader('connection');
    void reply.code(answer.status).headers(answer.headers).send(envelopeOf(answer, request.id));
  }
}
