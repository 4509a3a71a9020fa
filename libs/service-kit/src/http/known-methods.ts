import { METHODS as HTTP_METHODS, type RequestListener } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errorAnswer } from './errors/answer.js';
import { HEAD_TOO_LARGE, MOST_HEADERS } from './errors/client-error.js';
import { Refusal } from './errors/error-table.js';
import { rawErrorSender } from './errors/send-raw-error.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/**
 * The refusal of a request that no route takes: 405 with `Allow` where another method would be
 * taken, otherwise 404 (W2).
 */
export function refuseUnrouted(instance: FastifyInstance, request: FastifyRequest): Refusal {
  const allowed = allowedMethods(instance, request);
  if (allowed.length === 0) {
    const help = takes(instance, 'GET', '/docs') ? '; /docs lists what there is' : '';
    return new Refusal(404, `there is nothing at this path${help}`);
  }
  return new Refusal(405, `this path does not take ${request.method}, it takes ${allowed}`, {
    allow: allowed,
  });
}

/**
 * The methods that routes of this path take, as an `Allow` header has them; empty when there is no
 * such path.
 */
export function allowedMethods(instance: FastifyInstance, request: FastifyRequest): string {
  const methods = METHODS.filter((method) => takes(instance, method, request.raw.url ?? '/'));
  return methods.length === 0 ? '' : [...methods, 'OPTIONS'].join(', ');
}

const OF_HTTP: ReadonlySet<string | undefined> = new Set(HTTP_METHODS);

/**
 * Answers requests that the framework cannot. Node also parses RTSP methods; Fastify would log them
 * as its own error. Of too many headers Node 20 drops those beyond the limit, so that what is left
 * cannot be trusted.
 */
export function refuseUnreadable(
  origins: '*' | string[],
  listener: RequestListener,
): RequestListener {
  const send = rawErrorSender(origins);
  return (request, response) => {
    if (request.rawHeaders.length > 2 * MOST_HEADERS)
      send(HEAD_TOO_LARGE, response.setHeader('connection', 'close'), request);
    else if (!OF_HTTP.has(request.method))
      send(errorAnswer(400, `${request.method} is no method of HTTP`), response, request);
    else listener(request, response);
  };
}

/**
 * A path parameter has at least one character: `/identify/` does not match `/identify/:identifier`.
 */
export const hasEmptyParameter = (params: unknown): boolean =>
  Object.entries((params ?? {}) as Record<string, string>).some(
    ([name, value]) => value === '' && name !== '*',
  );

function takes(instance: FastifyInstance, method: string, url: string): boolean {
  const route = instance.findRoute({ method, url } as Parameters<FastifyInstance['findRoute']>[0]);
  return route !== null && !hasEmptyParameter(route.params);
}
