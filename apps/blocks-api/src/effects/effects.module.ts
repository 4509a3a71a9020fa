import { Inject, Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '@waymark/domain/database';
import { type ClaimedEffect, type EffectOutcome, EffectWorker } from '@waymark/domain/effects';
import { RunCommand } from '@waymark/domain/flow-states';
import { FlowCatalogue } from '@waymark/domain/flows';
import { SETTINGS } from '@waymark/service-kit/config';
import { LOGGER } from '@waymark/service-kit/logging';
import { Metrics } from '@waymark/service-kit/metrics';
import type { Logger } from 'pino';
import { Counter } from 'prom-client';
import { FlowsModule } from '../flows/flows.module.js';
import type { EffectSettings } from './effect-settings.js';

const TIMEOUT_MS = 10_000;
const POLL_MS = 1_000;

/** Carries effects out in every replica, from the start to the shutdown of the service (S19). */
@Module({
  imports: [FlowsModule],
  providers: [
    {
      provide: EffectWorker,
      useFactory: (
        database: Database,
        runner: RunCommand,
        catalogue: FlowCatalogue,
        settings: EffectSettings,
        metrics: Metrics,
        logger: Logger,
      ) =>
        new EffectWorker(database, runner, catalogue, {
          webhooks: {
            allowPrivateAddresses: settings.webhookPrivateAddresses,
            sendUncommitted: settings.webhookUncommitted,
            timeoutMs: TIMEOUT_MS,
          },
          concurrency: settings.effectConcurrency,
          pollMs: POLL_MS,
          onOutcome: recordOutcomes(metrics, logger),
        }),
      inject: [Database, RunCommand, FlowCatalogue, SETTINGS, Metrics, LOGGER],
    },
  ],
})
export class EffectsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(@Inject(EffectWorker) private readonly worker: EffectWorker) {}

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.stop();
  }
}

function recordOutcomes({ registry }: Metrics, logger: Logger) {
  const counter = new Counter({
    name: 'waymark_effects_total',
    help: 'Attempts to carry out webhooks and flow triggers, by what came of them',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  });
  return ({ id, flow, version, effect, attempts }: ClaimedEffect, outcome: EffectOutcome, error?: Error): void => {
    counter.inc({ kind: effect.kind, outcome });
    const told = { id, kind: effect.kind, flow, version, attempts, reason: error?.message };
    if (outcome === 'failed') logger.error(told, 'an effect failed');
    else if (outcome === 'postponed') logger.warn(told, 'an effect is tried again later');
  };
}
