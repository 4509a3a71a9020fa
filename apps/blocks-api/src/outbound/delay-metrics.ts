import type { ClaimedDelay, DelayOutcome, DueDelays } from '@waymark/domain/delays';
import type { Metrics } from '@waymark/service-kit/observability';
import type { Logger } from 'pino';
import { Counter } from 'prom-client';
import { recordTroubles, recordWaiting } from './worker-metrics.js';

/**
 * Counts every delay that was due, and logs those that have to be tried again: by code, since a
 * message may name the user.
 */
export function recordDelays({ registry }: Metrics, logger: Logger) {
  const counter = new Counter({
    name: 'waymark_delays_total',
    help: 'Delays that were due, by what came of them',
    labelNames: ['environment', 'outcome'],
    registers: [registry],
  });
  return (
    { environment, flow, version }: ClaimedDelay,
    outcome: DelayOutcome,
    error?: unknown,
  ): void => {
    counter.inc({ environment, outcome });
    const { code, name } = (error ?? {}) as { code?: string; name?: string };
    if (outcome === 'postponed')
      logger.warn({ environment, flow, version, code: code ?? name }, 'delay failed, will retry');
  };
}

export const recordDelayTroubles = (metrics: Metrics, logger: Logger) =>
  recordTroubles(metrics, logger, {
    name: 'waymark_delay_troubles_total',
    help: 'Times that delays could not be claimed or settled',
    message: 'delays wait for the database',
  });

/** How many are due in each environment and since when. */
export const recordDueDelays = (metrics: Metrics, load: () => Promise<DueDelays[]>): void =>
  recordWaiting(metrics, ['environment'], load, [
    {
      name: 'waymark_delays_due',
      help: 'Delays whose time is over and that did not go on',
      read: ({ due }) => due,
    },
    {
      name: 'waymark_delays_oldest_seconds',
      help: 'How late the delay is that has been due the longest',
      read: ({ oldestSeconds }) => oldestSeconds,
    },
  ]);
