import { type ClaimedEffect, type EffectOutcome, failureCode } from '@waymark/domain/effects';
import type { Metrics } from '@waymark/service-kit/metrics';
import type { Logger } from 'pino';
import { Counter } from 'prom-client';

/** Counts every attempt and logs those that failed: by their codes, since what is said to operators may name the user. */
export function recordOutcomes({ registry }: Metrics, logger: Logger) {
  const counter = new Counter({
    name: 'waymark_effects_total',
    help: 'Attempts to carry out webhooks and flow triggers, by what came of them',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  });
  return ({ id, flow, version, effect, attempts }: ClaimedEffect, outcome: EffectOutcome, error?: Error): void => {
    counter.inc({ kind: effect.kind, outcome });
    const told = { id, kind: effect.kind, flow, version, attempts, code: error && failureCode(error) };
    if (outcome === 'failed') logger.error(told, 'an effect failed');
    else if (outcome === 'postponed') logger.warn(told, 'an effect is tried again later');
  };
}

/** Counts and logs when the database fails the worker itself, which then waits. */
export function recordTroubles({ registry }: Metrics, logger: Logger) {
  const counter = new Counter({
    name: 'waymark_effect_troubles_total',
    help: 'Times that webhooks and flow triggers could not be claimed or reported',
    registers: [registry],
  });
  return (error: unknown): void => {
    counter.inc();
    logger.warn({ err: error }, 'effects wait for the database');
  };
}
