import type { ApiKeyGuard, Caller } from '@waymark/domain/access';
import type { FastifyRequest } from 'fastify';
import type { RateLimiter } from '../limits/index.js';
import { TOO_MANY } from './errors/error-table.js';
import type { Access } from './route-access.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sends the request; on routes that require a key. */
    caller: Caller;
  }
}

/** Who decides about a request. */
export interface Admittance {
  guard: ApiKeyGuard;
  limiter: Pick<RateLimiter, 'takeRequest'>;
  /** Is given every caller with the `Origin` of its request. */
  exposed: { note(caller: Caller, origin: string | undefined): void };
}

/**
 * Lets a request pass whose `x-api-key` opens its route, and notes the caller (W1). Calls back with
 * the refusal, or with nothing; at once where the key is known.
 *
 * You may have looked for a Nest guard. `ApiKeyGuard` of `libs/domain/access` is the guard, and
 * Fastify's `onRequest` hook asks it: Nest runs its guards after the body was read, but a
 * stranger's body must not even be read, and the refusal of the key comes before everything that is
 * wrong with the body (W9).
 */
export function admit(
  { guard, limiter, exposed }: Admittance,
  request: FastifyRequest,
  access: Access,
  done: (error?: Error) => void,
): void {
  const take = () => (limiter.takeRequest(request) ? undefined : TOO_MANY);
  if (access === 'public') return done(take());
  const accept = (caller: Caller): void => {
    request.caller = caller;
    exposed.note(caller, request.headers.origin);
  };
  const header = request.headers['x-api-key'];
  const credential = typeof header === 'string' ? header : undefined;
  const known = guard.find(credential, access);
  if (known) {
    accept(known);
    return done(take());
  }
  // Until its key is looked up, which costs something, it counts for its address.
  const tooMany = take();
  if (tooMany) return done(tooMany);
  guard.authenticate(credential, access).then((caller) => {
    accept(caller);
    done();
  }, done);
}
