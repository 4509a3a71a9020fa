import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics/index.js';

/** Counts every answer, and logs it when debugging: by the pattern of its route, as a URL tells of users. */
export function installRecords(instance: FastifyInstance, metrics: Metrics, logger: Logger): void {
  instance.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { statusCode: status, elapsedTime } = reply;
    metrics.countRequest(request.method, route, status, elapsedTime);
    logger.debug({ requestId: request.id, method: request.method, route, status, ms: Math.round(elapsedTime) }, 'answered');
    done();
  });
}
