import { Module } from '@nestjs/common';
import { Database } from '@waymark/domain/database';
import { EffectWorker, loadWaitingEffects } from '@waymark/domain/effects';
import { RunCommand } from '@waymark/domain/flow-states';
import { FlowCatalogue } from '@waymark/domain/flows';
import { SETTINGS } from '@waymark/service-kit/config';
import { LOGGER } from '@waymark/service-kit/logging';
import { Metrics } from '@waymark/service-kit/metrics';
import type { Logger } from 'pino';
import type { BlocksSettings } from '../config/index.js';
import { FlowsModule } from '../flows/flows.module.js';
import { WorkerLifecycle } from '../workers/index.js';
import { recordOutcomes, recordTroubles, recordWaiting } from './effect-records.js';

const TIMEOUT_MS = 10_000;
const POLL_MS = 1_000;

/** Effects of flows, carried out in every replica (S19). */
@Module({
  imports: [FlowsModule],
  providers: [
    WorkerLifecycle.of(EffectWorker),
    {
      provide: EffectWorker,
      useFactory: createWorker,
      inject: [Database, RunCommand, FlowCatalogue, SETTINGS, Metrics, LOGGER],
    },
  ],
})
export class EffectsModule {}

function createWorker(
  database: Database,
  runner: RunCommand,
  catalogue: FlowCatalogue,
  settings: BlocksSettings,
  metrics: Metrics,
  logger: Logger,
): EffectWorker {
  recordWaiting(metrics, () => loadWaitingEffects(database));
  return new EffectWorker(database, runner, catalogue, {
    webhooks: {
      allowPrivateAddresses: settings.webhookPrivateAddresses,
      sendUncommitted: settings.webhookUncommitted,
      timeoutMs: TIMEOUT_MS,
    },
    concurrency: settings.effectConcurrency,
    pollMs: POLL_MS,
    onOutcome: recordOutcomes(metrics, logger),
    onTrouble: recordTroubles(metrics, logger),
  });
}
