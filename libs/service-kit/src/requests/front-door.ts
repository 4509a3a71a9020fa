import cors from '@fastify/cors';
import type { ApiKeyGuard } from '@waymark/domain/environments';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { admit } from '../access/admit.js';
import { checkAccess, requireAccess, type GuardedRoute } from '../access/route-access.js';
import { Refusal } from '../errors/refusal.js';
import { sendError } from '../errors/send-error.js';
import { corsOptions } from '../headers/cors.js';
import { securityHeaders } from '../headers/security-headers.js';
import { isHealth } from '../health/is-health.js';
import type { Admission } from '../overload/admission.js';
import { checkBodyHeaders, installBodyParsers } from './body.js';
import { allowedMethods, hasEmptyParameter, refuseUnrouted } from './known-methods.js';
import { parseQuery } from './query.js';
import { isUndecodable } from './target.js';
import type { Toll } from './toll.js';

const UNDECODABLE = new Refusal(
  400,
  'the path cannot be decoded: every % has to be followed by two hexadecimal digits and the bytes have to be UTF-8',
);

export interface FrontDoor {
  guard: ApiKeyGuard;
  /** Takes note of the routes as they are registered. */
  routes: GuardedRoute[];
  origins: '*' | string[];
  admission: Admission;
  toll: Toll;
}

/**
 * What every request passes before a handler sees it, in the order of W9: path, route, key, body, query. Nest's guards
 * and pipes run after the body was read, so the front door stands in Fastify's hooks.
 */
export function installFrontDoor(instance: FastifyInstance, { guard, routes, origins, admission, toll }: FrontDoor): void {
  const headers = securityHeaders();
  instance.addHook('onRoute', requireAccess(routes));
  installBodyParsers(instance, admission, toll);
  instance.decorateRequest('caller', null as never);
  instance.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    done();
  });
  void instance.register(cors, corsOptions(origins));
  instance.addHook('onRequest', (request, reply, done) => {
    if (isHealth(request.raw)) return done(checkTarget(instance, request));
    if (request.method === 'OPTIONS') return answerOptions(instance, toll, request, reply);
    const refusal = checkTarget(instance, request);
    if (refusal) return done(toll.refusalOf(request) ?? refusal);
    admit({ guard, toll }, request, checkAccess(request), (error) => done(error ?? checkBodyHeaders(request)));
  });
  instance.addHook('preValidation', (request, _reply, done) => {
    // What is open to everybody asks for none, and somebody who has no key cannot make it cost anything (R13).
    if (request.caller) readQuery(request);
    done();
  });
  instance.addHook('onSend', (request, _reply, payload: { length?: number } | null, done) => {
    toll.chargeAnswer(request, payload?.length ?? 0);
    done();
  });
}

/** A query that cannot be decoded is refused when it is looked at, since what is wrong with a body comes first (W9). */
function readQuery(request: FastifyRequest): void {
  try {
    request.query = parseQuery(request.raw.url ?? '', { literal: request.headers['x-pkg-name'] !== undefined });
  } catch (error) {
    const refuse = (): never => {
      throw error;
    };
    Object.defineProperty(request, 'query', { get: refuse });
  }
}

function checkTarget(instance: FastifyInstance, request: FastifyRequest): Refusal | undefined {
  if (isUndecodable(request.raw)) return UNDECODABLE;
  return request.is404 || hasEmptyParameter(request.params) ? refuseUnrouted(instance, request) : undefined;
}

/**
 * A preflight is for every path, so that the real request may tell the browser what is wrong; it needs no key (W6). It is
 * answered here and now: the route that takes every OPTIONS is older than the application's handling of errors.
 */
function answerOptions(instance: FastifyInstance, toll: Toll, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = toll.refusalOf(request);
  if (refusal) return void sendError(refusal, request, reply);
  const isPreflight = request.headers['access-control-request-method'] !== undefined;
  if (!isPreflight && isUndecodable(request.raw)) return void sendError(UNDECODABLE, request, reply);
  const allowed = allowedMethods(instance, request);
  if (!isPreflight && allowed === '') return void sendError(refuseUnrouted(instance, request), request, reply);
  if (allowed !== '') reply.header('allow', allowed);
  void reply.code(204).send();
}
