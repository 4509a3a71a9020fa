import { FastifyAdapter } from '@nestjs/platform-fastify';
import { LogController, type FastifyServerOptions } from 'fastify';
import { createServer, type Server } from 'node:http';
import type { ServiceSettings } from '../config/service-settings.js';
import { answerClientErrors, MOST_HEADERS } from './errors/client-error.js';
import { requestIdOf } from './headers/request-trace.js';
import type { Logger } from 'pino';
import {
  type Admission,
  type ClientAddresses,
  limitConnections,
  type RateLimiter,
} from '../limits/index.js';
import { BODY_LIMIT } from './body/body.js';
import { joinPieces } from './body/join-pieces.js';
import { refuseUnreadable } from './known-methods.js';
import { requestsWithUpgrades, type TakesUpgrade } from './upgrades.js';
import { routableTarget } from './target.js';

const HEADERS_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 16_384;

interface AdapterParts {
  readonly logger: Logger;
  readonly admission: Admission;
  readonly limiter: RateLimiter;
  readonly addresses: ClientAddresses;
}

/** Fastify for Nest, set up as the rules of the HTTP interface ask. */
export function createHttpAdapter(
  { takesUpgrade = () => false }: { takesUpgrade?: TakesUpgrade },
  settings: ServiceSettings,
  { logger, admission, limiter, addresses }: AdapterParts,
): FastifyAdapter {
  const options: FastifyServerOptions<Server> = {
    serverFactory: (listener) => {
      const readable = refuseUnreadable(settings.corsOrigins, listener);
      const server = createServer(serverOptions(settings, takesUpgrade), (request, response) => {
        joinPieces(request);
        admission.handle(request, response, readable);
      });
      server.maxHeadersCount = MOST_HEADERS;
      // An unknown expectation is ignored; Node would refuse it without the envelope (W2).
      server.on('checkExpectation', (request, response) =>
        server.emit('request', request, response),
      );
      limitConnections(server, { limiter, addresses, perAddress: settings.connectionsPerAddress });
      return server;
    },
    loggerInstance: logger,
    // A child logger for every request is not worth its cost; what is logged of a request carries
    // its id.
    childLoggerFactory: (parent) => parent,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    rewriteUrl: routableTarget,
    bodyLimit: BODY_LIMIT,
    // A path parameter is at most as long as the head of a request: its length is checked by what
    // it identifies.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES, querystringParser: () => ({}) },
    clientErrorHandler: answerClientErrors(settings.corsOrigins),
    return503OnClosing: false,
  };
  return new LateAdapter(options);
}

/**
 * A handler may end after the deadline has answered its request: Nest would log that as an error.
 */
class LateAdapter extends FastifyAdapter {
  override reply(
    ...[response, ...rest]: Parameters<FastifyAdapter['reply']>
  ): ReturnType<FastifyAdapter['reply']> {
    return 'sent' in response && response.sent ? response : super.reply(response, ...rest);
  }
}

const serverOptions = (settings: ServiceSettings, takesUpgrade: TakesUpgrade) => ({
  IncomingMessage: requestsWithUpgrades(takesUpgrade),
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: Math.min(HEADERS_TIMEOUT_MS, settings.receiveTimeoutMs),
  requestTimeout: settings.receiveTimeoutMs,
  keepAliveTimeout: settings.keepAliveTimeoutMs,
  connectionsCheckingInterval: 500,
  // Node would refuse a missing Host with an empty answer.
  requireHostHeader: false,
});
