import { randomUUID } from 'node:crypto';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { answerClientErrors, Refusal, sendError, checkShape } from '@waymark/service-kit/http';
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyBodyParser,
} from 'fastify';
import { invalidRequest } from '@waymark/domain/database/errors';
import { OriginCheck } from '../access/origin-check.js';
import type { Sessions } from '../access/sessions.js';
import type { StudioSettings } from '../config/settings.js';

/** A flow file may have half a million characters, each of which may be escaped in JSON. */
const BODY_LIMIT = 4 * 1024 * 1024;
/** The size of what may be sent without a session: a token. */
const STRANGERS_BODY_LIMIT = 4 * 1024;
/** How long a request may take to arrive. */
const RECEIVE_MS = 60_000;

export interface Route {
  readonly method: string;
  readonly url: string;
}

/**
 * Headers of every answer. Pages load nothing from elsewhere and run nothing that is not a file of
 * the studio: no inline script or style, no plug-in, no frame but the studio's own of what users
 * see (T5, N10).
 */
const securityHeaders = (isHttps: boolean): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // CodeMirror's marks of problems are pictures in its styles.
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  ...(isHttps && { 'strict-transport-security': 'max-age=31536000' }),
});

/**
 * Fastify that checks host and origin before everything else, under Nest; and the routes that Nest
 * gives it.
 */
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
    // Identifiers of users have up to 512 characters, each of which may be percent-encoded several
    // times over.
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
  installOriginCheck(instance, headers, () => new OriginCheck(settings, portOf()));
  refuseBodiesWithoutSession(instance, sessions);
  takeJsonOnly(instance);
  ignoreExpectations(instance);
  return { adapter, routes };
}

function installOriginCheck(
  instance: FastifyInstance,
  headers: Readonly<Record<string, string>>,
  makeCheck: () => OriginCheck,
): void {
  let originCheck: OriginCheck | undefined;
  instance.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headers).header('cache-control', 'no-store');
    // At the first request, since the port may be chosen on listening.
    originCheck ??= makeCheck();
    try {
      originCheck.check(request);
      done();
    } catch (error) {
      sendError(error, request, reply);
    }
  });
}

/**
 * Nest requests the session once the body is there, and strangers could fill the memory with
 * theirs.
 */
function refuseBodiesWithoutSession(instance: FastifyInstance, sessions: Sessions): void {
  instance.addHook('onRequest', (request, reply, done) => {
    const { 'content-length': length = 0, 'transfer-encoding': coding } = request.headers;
    if (coding === undefined && Number(length) <= STRANGERS_BODY_LIMIT) return done();
    sessions.read(request).then((session) => {
      if (session) done();
      else sendError(new Refusal(401, 'there is no session, or it is over'), request, reply);
    }, done);
  });
}

/** Many more than any page sends; class-transformer takes minutes for two hundred thousand. */
const MOST_VALUES = 2_000;

/**
 * Refuses, before a DTO is made of it, a body that nests without end (W7) or has more values than
 * the pages send.
 */
const parseBody =
  (parse: FastifyBodyParser<string>): FastifyBodyParser<string> =>
  (request, body, done) => {
    try {
      checkShape(body);
    } catch (error) {
      return done(error as Error);
    }
    return parse(request, body, (error, value: unknown) => {
      if (error || countValues(value) <= MOST_VALUES) done(error, value);
      else
        done(
          invalidRequest(`the body has more than ${MOST_VALUES.toLocaleString('en-US')} values`),
        );
    });
  };

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, one) => sum + countValues(one), 1);
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

/**
 * An unknown expectation is ignored, as the services do; Node would refuse it without the envelope
 * (W2).
 */
function ignoreExpectations({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}
