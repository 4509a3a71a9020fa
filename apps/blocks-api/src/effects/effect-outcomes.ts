import { Inject, Injectable } from '@nestjs/common';
import type { ClaimedEffect, EffectOutcome } from '@waymark/domain/effects';
import { LOGGER } from '@waymark/service-kit/logging';
import { Metrics } from '@waymark/service-kit/metrics';
import type { Logger } from 'pino';
import { Counter } from 'prom-client';

/** What operators see of effects: a count of every attempt, and lines for those that did not succeed. */
@Injectable()
export class EffectOutcomes {
  private readonly attempts: Counter;

  constructor(
    { registry }: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.attempts = new Counter({
      name: 'waymark_effects_total',
      help: 'Attempts to carry out webhooks and flow triggers, by what came of them',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    });
  }

  record({ id, flow, version, effect, attempts }: ClaimedEffect, outcome: EffectOutcome, error?: Error): void {
    this.attempts.inc({ kind: effect.kind, outcome });
    const told = { id, kind: effect.kind, flow, version, attempts, reason: error?.message };
    if (outcome === 'failed') this.logger.error(told, 'an effect failed');
    else if (outcome === 'postponed') this.logger.warn(told, 'an effect is tried again later');
  }
}
