import type { DeliveryOutcome, DeliveryWorker, LeasedEndpoint } from '@waymark/domain/outbound';
import type { Metrics } from '@waymark/service-kit/observability';
import type { Logger } from 'pino';
import { Counter, Gauge } from 'prom-client';
import { recordTroubles } from './worker-metrics.js';

/**
 * Counts every event that was sent, and logs what went wrong: by code, since an address may have a
 * secret in it (E10).
 */
export function recordDeliveries({ registry }: Metrics, logger: Logger) {
  const counter = new Counter({
    name: 'waymark_endpoint_deliveries_total',
    help: 'Events sent to endpoints, by what came of them',
    labelNames: ['environment', 'endpoint', 'outcome'],
    registers: [registry],
  });
  return (
    { environment, name }: Pick<LeasedEndpoint, 'environment' | 'name'>,
    outcome: DeliveryOutcome,
    events: number,
    code: string | null,
  ): void => {
    counter.inc({ environment, endpoint: name, outcome }, events);
    const line = { environment, endpoint: name, code };
    if (outcome === 'set-aside')
      logger.error(line, 'an event was refused for good and is set aside');
    else if (outcome === 'gone') logger.error(line, 'an endpoint is gone and is paused');
    else if (outcome !== 'delivered')
      logger.warn({ ...line, outcome }, 'delivery failed, will retry');
  };
}

export const recordDeliveryTroubles = (metrics: Metrics, logger: Logger) =>
  recordTroubles(metrics, logger, {
    name: 'waymark_endpoint_troubles_total',
    help: 'Times that events for endpoints could not be read or their delivery could not be recorded',
    message: 'endpoints wait for the database',
  });

/** How far each endpoint is behind, as every replica sees it (E10). */
export function recordBacklogs(
  { registry }: Metrics,
  worker: Pick<DeliveryWorker, 'backlogs'>,
): void {
  new Gauge({
    name: 'waymark_endpoint_backlog_seconds',
    help: 'Age of the oldest event that is known to wait for an endpoint',
    labelNames: ['environment', 'endpoint'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { seconds, ...labels } of worker.backlogs) this.set(labels, seconds);
    },
  });
}
