import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** Hands a handler what its request is about, as the given function reads it from caller, path, query, headers and body. */
export const FromRequest = <Request>(parse: (request: Request) => unknown): ParameterDecorator =>
  createParamDecorator((_: unknown, context: ExecutionContext) => parse(context.switchToHttp().getRequest<Request>()))();
