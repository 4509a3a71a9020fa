import cors from '@fastify/cors';
import type { ApiKeyGuard } from '@waymark/domain/access';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { admit, type Admittance } from './admit.js';
import { checkAccess, requireAccess, type GuardedRoute } from './route-access.js';
import { Refusal, TOO_MANY } from './errors/error-table.js';
import { sendError } from './errors/send-error.js';
import { corsOptions } from './headers/cors.js';
import { securityHeaders } from './headers/security-headers.js';
import { isHealth, isUndecodable } from './target.js';
import type { Admission } from '../limits/admission.js';
import type { RateLimiter } from '../limits/rate-limiter.js';
import { checkBodyHeaders, installBodyParsers } from './body/body.js';
import { allowedMethods, hasEmptyParameter, refuseUnrouted } from './known-methods.js';
import { parseQuery } from './query.js';

const UNDECODABLE = new Refusal(
  400,
  'the path cannot be decoded: every % has to be followed by two hexadecimal digits and the bytes have to be UTF-8',
);

interface FrontDoor extends Pick<Admittance, 'exposed'> {
  guard: ApiKeyGuard;
  /** Filled with the routes as they are registered. */
  routes: GuardedRoute[];
  origins: '*' | string[];
  admission: Admission;
  limiter: RateLimiter;
}

/**
 * What every request passes before a handler sees it, in the order of W9: path, route, key, body,
 * query. Nest's guards and pipes run after the body was read, so the front door is in Fastify's
 * hooks.
 */
export function installFrontDoor(
  instance: FastifyInstance,
  { guard, routes, origins, admission, limiter, exposed }: FrontDoor,
): void {
  const headers = securityHeaders();
  instance.addHook('onRoute', requireAccess(routes));
  installBodyParsers(instance, admission, limiter);
  instance.decorateRequest('spent', 0);
  instance.decorateRequest('caller', null as never);
  instance.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    done();
  });
  void instance.register(cors, corsOptions(origins));
  instance.addHook('onRequest', (request, reply, done) => {
    if (isHealth(request.raw)) return done(checkTarget(instance, request));
    if (request.method === 'OPTIONS') return answerOptions(instance, limiter, request, reply);
    const refusal = checkTarget(instance, request);
    if (refusal) return done(limiter.takeRequest(request) ? refusal : TOO_MANY);
    admit({ guard, limiter, exposed }, request, checkAccess(request), (error) =>
      done(error ?? checkBodyHeaders(request)),
    );
  });
  instance.addHook('preValidation', (request, _reply, done) => {
    // Public routes read no query, so that clients without a key cannot make it cost anything
    // (R13).
    if (request.caller) readQuery(request);
    done();
  });
  instance.addHook('onSend', (request, _reply, payload: { length?: number } | null, done) => {
    limiter.chargeRequest(request, payload?.length ?? 0);
    done();
  });
}

/**
 * A query that cannot be decoded is refused when it is looked at, since what is wrong with a body
 * comes first (W9).
 */
function readQuery(request: FastifyRequest): void {
  try {
    request.query = parseQuery(request.raw.url ?? '', {
      literal: request.headers['x-pkg-name'] !== undefined,
    });
  } catch (error) {
    const refuse = (): never => {
      throw error;
    };
    Object.defineProperty(request, 'query', { get: refuse });
  }
}

function checkTarget(instance: FastifyInstance, request: FastifyRequest): Refusal | undefined {
  if (isUndecodable(request.raw)) return UNDECODABLE;
  return request.is404 || hasEmptyParameter(request.params)
    ? refuseUnrouted(instance, request)
    : undefined;
}

/**
 * A preflight is for every path, so that the real request can say what is wrong; it needs no key
 * (W6). Answered here: the catch-all OPTIONS route is registered before the error handler.
 */
function answerOptions(
  instance: FastifyInstance,
  limiter: RateLimiter,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (!limiter.takeRequest(request)) return void sendError(TOO_MANY, request, reply);
  const isPreflight = request.headers['access-control-request-method'] !== undefined;
  if (!isPreflight && isUndecodable(request.raw))
    return void sendError(UNDECODABLE, request, reply);
  const allowed = allowedMethods(instance, request);
  if (!isPreflight && allowed === '')
    return void sendError(refuseUnrouted(instance, request), request, reply);
  if (allowed !== '') reply.header('allow', allowed);
  void reply.code(204).send();
}
