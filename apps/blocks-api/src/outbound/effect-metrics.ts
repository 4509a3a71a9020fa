import type {
  ClaimedEffect,
  EffectFailure,
  EffectOutcome,
  WaitingEffects,
} from '@waymark/domain/outbound';
import type { Metrics } from '@waymark/service-kit/observability';
import type { Logger } from 'pino';
import { Counter } from 'prom-client';
import { recordTroubles, recordWaiting } from './worker-metrics.js';

/**
 * Counts every attempt and logs those that failed: by code, since messages for operators may name
 * the user.
 */
export function recordOutcomes({ registry }: Metrics, logger: Logger) {
  const counter = new Counter({
    name: 'waymark_effects_total',
    help: 'Attempts to carry out webhooks and flow triggers, by what came of them',
    labelNames: ['environment', 'kind', 'outcome'],
    registers: [registry],
  });
  return (
    { id, environment, flow, version, effect, attempts }: ClaimedEffect,
    outcome: EffectOutcome,
    failure: EffectFailure | null,
  ): void => {
    counter.inc({ environment, kind: effect.kind, outcome });
    const line = {
      id,
      environment,
      kind: effect.kind,
      flow,
      version,
      attempts,
      code: failure?.code,
    };
    if (outcome === 'failed') logger.error(line, 'effect failed');
    else if (outcome === 'postponed') logger.warn(line, 'effect failed, will retry');
  };
}

export const recordEffectTroubles = (metrics: Metrics, logger: Logger) =>
  recordTroubles(metrics, logger, {
    name: 'waymark_effect_troubles_total',
    help: 'Times that webhooks and flow triggers could not be claimed or reported',
    message: 'effects wait for the database',
  });

/** How much waits in each environment and for how long. */
export const recordWaitingEffects = (
  metrics: Metrics,
  load: () => Promise<WaitingEffects[]>,
): void =>
  recordWaiting(metrics, ['environment', 'kind'], load, [
    {
      name: 'waymark_effects_waiting',
      help: 'Webhooks and flow triggers that wait',
      read: ({ waiting }) => waiting,
    },
    {
      name: 'waymark_effects_oldest_seconds',
      help: 'Age of the oldest webhook or flow trigger that waits',
      read: ({ oldestSeconds }) => oldestSeconds,
    },
  ]);
