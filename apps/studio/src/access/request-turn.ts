import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The session whose turn it is, for work that takes turns, and until when the answer is wanted. */
export interface RequestTurn {
  readonly session: string;
  /** Aborts when the client no longer waits for the answer. */
  readonly signal: AbortSignal;
}

/** For work that takes turns: `@Turn() turn: RequestTurn`. */
export const Turn = createParamDecorator(
  (_data: unknown, context: ExecutionContext): RequestTurn => {
    const http = context.switchToHttp();
    const gone = new AbortController();
    http.getResponse<FastifyReply>().raw.once('close', () => gone.abort());
    return { session: http.getRequest<FastifyRequest>().session!, signal: gone.signal };
  },
);
