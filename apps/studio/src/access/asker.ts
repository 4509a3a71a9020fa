import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Whose turn work takes, and until when it is wanted. */
export interface Asker {
  readonly session: string;
  /** Comes when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** For work that takes turns: `@AskedFrom() asker: Asker`. */
export const AskedFrom = createParamDecorator((_data: unknown, context: ExecutionContext): Asker => {
  const http = context.switchToHttp();
  const gone = new AbortController();
  http.getResponse<FastifyReply>().raw.once('close', () => gone.abort());
  return { session: http.getRequest<FastifyRequest>().session!, signal: gone.signal };
});
