import cors from '@fastify/cors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkAccess, requireAccess } from '../access/route-access.js';
import type { ApiKeyGuard } from '../access/api-key.guard.js';
import { Refusal } from '../errors/refusal.js';
import { checkBodyHeaders, installBodyParsers } from './body.js';
import { corsOptions } from './cors.js';
import { allowedMethods, hasEmptyParameter, refuseUnrouted } from './known-methods.js';
import { parseQuery } from './query.js';
import { securityHeaders } from './security-headers.js';
import { isUndecodable } from './target.js';

const UNDECODABLE = new Refusal(
  400,
  'the path cannot be decoded: every % has to be followed by two hexadecimal digits and the bytes have to be UTF-8',
);

/**
 * What every request passes before a handler sees it, in the order of W9: path, route, key, body, query. Nest's guards
 * and pipes run after the body was read, so the front door stands in Fastify's hooks.
 */
export function installFrontDoor(instance: FastifyInstance, guard: ApiKeyGuard, origins: '*' | string[]): void {
  const headers = securityHeaders();
  instance.addHook('onRoute', requireAccess);
  installBodyParsers(instance);
  instance.decorateRequest('caller', null as never);
  instance.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    done();
  });
  void instance.register(cors, corsOptions(origins));
  instance.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS') return answerOptions(instance, request, reply, done);
    const refusal = checkTarget(instance, request);
    if (refusal) return done(refusal);
    guard.admit(request, checkAccess(request), (error) => done(error ?? checkBodyHeaders(request)));
  });
  instance.addHook('preValidation', (request, _reply, done) => {
    request.query = parseQuery(request.raw.url ?? '', { literal: request.headers['x-pkg-name'] !== undefined });
    done();
  });
}

function checkTarget(instance: FastifyInstance, request: FastifyRequest): Refusal | undefined {
  if (isUndecodable(request.raw)) return UNDECODABLE;
  return request.is404 || hasEmptyParameter(request.params) ? refuseUnrouted(instance, request) : undefined;
}

/** A preflight is for every path, so that the real request may tell the browser what is wrong; it needs no key (W6). */
function answerOptions(instance: FastifyInstance, request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) {
  const allowed = allowedMethods(instance, request);
  const isPreflight = request.headers['access-control-request-method'] !== undefined;
  if (!isPreflight && isUndecodable(request.raw)) return done(UNDECODABLE);
  if (!isPreflight && allowed === '') return done(refuseUnrouted(instance, request));
  if (allowed !== '') reply.header('allow', allowed);
  void reply.code(204).send();
}
