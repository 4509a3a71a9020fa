import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { CODE_OF_STATUS, isKnownStatus } from '../http/errors/error-table.js';
import type { RefusalLog } from './refusal-log.js';
import type { Metrics } from './metrics.js';

interface Observers {
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly refusals: RefusalLog;
}

/**
 * Counts every answer, notes those that refuse, and logs all when debugging: by the pattern of the
 * route, since a URL names users.
 */
export function observeRequests(
  instance: FastifyInstance,
  { metrics, logger, refusals }: Observers,
): void {
  instance.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { method, id: requestId } = request;
    const { statusCode: status, elapsedTime } = reply;
    metrics.countRequest(method, route, status, elapsedTime);
    if (status >= 400 && status < 500 && isKnownStatus(status)) {
      const reason = reply.refusedFor;
      refusals.note({
        requestId,
        method,
        route,
        status,
        code: CODE_OF_STATUS[status],
        ...(reason && { reason }),
      });
    }
    logger.debug({ requestId, method, route, status, ms: Math.round(elapsedTime) }, 'answered');
    done();
  });
}
