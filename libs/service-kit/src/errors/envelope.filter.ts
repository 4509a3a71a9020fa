import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { sendError } from './send-error.js';

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
    if (status === 500) this.logger.error({ err: error, requestId: request.id }, 'a request failed');
    if (status === 503) this.unavailable.note(request.id, details);
  }
}
