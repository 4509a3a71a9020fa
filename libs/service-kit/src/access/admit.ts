import type { ApiKeyGuard, Caller } from '@waymark/domain/environments';
import type { FastifyRequest } from 'fastify';
import type { Access } from './route-access.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whom the request speaks for; on routes that require a key. */
    caller: Caller;
  }
}

/** Whom to ask about a request. */
export interface Admittance {
  guard: ApiKeyGuard;
  /** Counts the request, as its caller's or a stranger's, and answers the refusal if it is one too many. */
  toll: { refusalOf(request: FastifyRequest): Error | undefined };
}

/**
 * Lets a request pass whose `x-api-key` opens its route, and notes the caller (W1). Calls back with the refusal, or with
 * nothing; at once where the key is known.
 *
 * You may have looked for a Nest guard. `ApiKeyGuard` of `libs/domain/environments` is the guard, and Fastify's
 * `onRequest` hook asks it: Nest runs its guards after the body was read, but a stranger's body must not even be read,
 * and the refusal of the key comes before everything that is wrong with the body (W9).
 */
export function admit({ guard, toll }: Admittance, request: FastifyRequest, access: Access, done: (error?: Error) => void): void {
  if (access === 'public') return done(toll.refusalOf(request));
  const header = request.headers['x-api-key'];
  const credential = typeof header === 'string' ? header : undefined;
  const known = guard.find(credential, access);
  if (known) {
    request.caller = known;
    return done(toll.refusalOf(request));
  }
  // Until the key has been looked up it is a stranger's: looking it up costs something.
  const tooMany = toll.refusalOf(request);
  if (tooMany) return done(tooMany);
  guard.authenticate(credential, access).then((caller) => {
    request.caller = caller;
    done();
  }, done);
}
