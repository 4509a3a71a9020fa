import { KeyRing, type Caller } from '@waymark/domain/environments';
import type { FastifyRequest } from 'fastify';
import type { Access } from './route-access.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whom the request speaks for; on routes that require a key. */
    caller: Caller;
  }
}

/** Lets a request pass whose `x-api-key` opens the route, and notes its caller (W1). */
export class ApiKeyGuard {
  constructor(private readonly keys: KeyRing) {}

  /** Calls back with the refusal, or with nothing; at once for keys that are known. */
  admit(request: FastifyRequest, access: Access, done: (error?: Error) => void): void {
    if (access === 'public') return done();
    const header = request.headers['x-api-key'];
    const key = typeof header === 'string' ? header : undefined;
    const known = this.keys.find(key, access);
    if (known) {
      request.caller = known;
      return done();
    }
    this.keys.authenticate(key, access).then((caller) => {
      request.caller = caller;
      done();
    }, done);
  }
}
