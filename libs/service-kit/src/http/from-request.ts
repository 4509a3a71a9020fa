import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/**
 * Hands a handler what its request is about, as the given function reads it from caller, path,
 * query, headers and body.
 */
export const FromRequest = <Request>(parse: (request: Request) => unknown): ParameterDecorator =>
  createParamDecorator((_: unknown, context: ExecutionContext) => {
    const request = context.switchToHttp().getRequest<Request & FastifyRequest>();
    const parsed = parse(request);
    // A body of 1 MiB may take twenty times that as a value, and is not needed any more.
    request.body = undefined;
    request.bodyText = '';
    // One that cannot be decoded is refused, after the body, even where nothing of it is requested
    // (W8, W9).
    void request.query;
    return parsed;
  })();
