import { FastifyAdapter } from '@nestjs/platform-fastify';
import { LogController, type FastifyServerOptions } from 'fastify';
import type { Server } from 'node:http';
import type { ServiceSettings } from '../config/index.js';
import { answerClientErrors, MOST_HEADERS } from '../errors/index.js';
import { requestIdOf } from '../headers/index.js';
import { BODY_LIMIT, onlyHttp, requestsWithUpgrades, routableTarget, type TakesUpgrade } from '../requests/index.js';
import type { ServiceParts } from './service-parts.js';

const HEADERS_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 16_384;

/** Fastify as the contract wants it, under Nest. */
export function createHttpAdapter(
  { takesUpgrade = () => false }: { takesUpgrade?: TakesUpgrade },
  settings: ServiceSettings,
  { logger, admission }: Pick<ServiceParts, 'logger' | 'admission'>,
): FastifyAdapter {
  const options: FastifyServerOptions<Server> = {
    serverFactory: (listener) => {
      const server = admission.createServer(serverOptions(settings, takesUpgrade), onlyHttp(settings.corsOrigins, listener));
      // Those beyond are dropped or refused by Node; where they are dropped the admission refuses the request.
      server.maxHeadersCount = MOST_HEADERS;
      return server;
    },
    loggerInstance: logger,
    // A child for every request costs more than it tells; what is logged of a request carries its id.
    childLoggerFactory: (parent) => parent,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    rewriteUrl: routableTarget,
    bodyLimit: BODY_LIMIT,
    // A path parameter is at most as long as the head of a request: its length is checked by what it identifies.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES, querystringParser: () => ({}) },
    clientErrorHandler: answerClientErrors(settings.corsOrigins),
    return503OnClosing: false,
  };
  return new LateAdapter(options);
}

/** A handler may come to its end after the deadline has answered for it: that is no fault to be warned of. */
class LateAdapter extends FastifyAdapter {
  override reply(...[response, ...rest]: Parameters<FastifyAdapter['reply']>): ReturnType<FastifyAdapter['reply']> {
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
