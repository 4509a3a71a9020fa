import { randomUUID } from 'node:crypto';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { answerClientErrors, Refusal, sendError } from '@waymark/service-kit/errors';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Doors } from '../access/doors.js';
import type { Sessions } from '../access/sessions.js';
import type { StudioSettings } from '../config/index.js';
import { parseBody } from './parse-body.js';
import { securityHeaders } from './security-headers.js';

/** A flow file may have half a million characters, each of which may be escaped in JSON. */
const BODY_LIMIT = 4 * 1024 * 1024;
/** What somebody without a session may send: a token. */
const STRANGERS_BODY_LIMIT = 4 * 1024;
/** How long a request may take to arrive. */
const RECEIVE_MS = 60_000;

export interface Route {
  readonly method: string;
  readonly url: string;
}

/** Fastify with the doors of the studio in front of everything, under Nest; and the routes that Nest gives it. */
export function createHttpAdapter(
  settings: StudioSettings,
  sessions: Sessions,
  portOf: () => number,
): { adapter: FastifyAdapter; routes: Route[] } {
  const routes: Route[] = [];
  const headers = securityHeaders(settings.publicUrl?.startsWith('https:') ?? false);
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT,
    requestTimeout: RECEIVE_MS,
    genReqId: () => randomUUID(),
    // Identifiers of users have up to 512 characters, each of which may be percent-encoded several times over.
    routerOptions: { maxParamLength: 8_192 },
    // The router refuses what it cannot decode before any hook runs.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      void sendError(error, request, reply.headers(headers)),
    // No other site may read an answer, not even one to a request that cannot be read.
    clientErrorHandler: answerClientErrors([]),
    // Node would refuse a missing Host with an empty answer.
    http: { requireHostHeader: false },
    forceCloseConnections: true,
  });
  const instance = adapter.getInstance() as unknown as FastifyInstance;
  instance.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) routes.push({ method: each, url });
  });
  installDoors(instance, headers, () => new Doors(settings, portOf()));
  refuseStrangersBodies(instance, sessions);
  takeJsonOnly(instance);
  ignoreExpectations(instance);
  return { adapter, routes };
}

function installDoors(instance: FastifyInstance, headers: Readonly<Record<string, string>>, makeDoors: () => Doors): void {
  let doors: Doors | undefined;
  instance.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headers).header('cache-control', 'no-store');
    // At the first request, as before it nobody knows which port was free.
    doors ??= makeDoors();
    try {
      doors.check(request);
      done();
    } catch (error) {
      sendError(error, request, reply);
    }
  });
}

/** Nest asks for the session once the body is there, and strangers could fill the memory with theirs. */
function refuseStrangersBodies(instance: FastifyInstance, sessions: Sessions): void {
  instance.addHook('onRequest', (request, reply, done) => {
    const { 'content-length': length = 0, 'transfer-encoding': coding } = request.headers;
    if (coding === undefined && Number(length) <= STRANGERS_BODY_LIMIT) return done();
    sessions.read(request).then((session) => {
      if (session) done();
      else sendError(new Refusal(401, 'there is no session, or it is over'), request, reply);
    }, done);
  });
}

/** A form of another page can send text and forms without being asked, but no JSON. */
function takeJsonOnly(instance: FastifyInstance): void {
  instance.removeContentTypeParser('text/plain');
  instance.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    parseBody(instance.getDefaultJsonParser('error', 'error')),
  );
}

/** An expectation that nobody knows is ignored, as the services do; Node would refuse it without the envelope (W2). */
function ignoreExpectations({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}
