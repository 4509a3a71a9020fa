import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Hands a handler what its request asks for, as the given function reads it from path, caller and body. */
export const Asked = createParamDecorator((parse: (request: FastifyRequest) => unknown, context: ExecutionContext) =>
  parse(context.switchToHttp().getRequest<FastifyRequest>()),
);
