import { Module } from '@nestjs/common';
import { Database } from '@waymark/domain/database';
import { EffectWorker } from '@waymark/domain/effects';
import { RunCommand } from '@waymark/domain/flow-states';
import { FlowCatalogue } from '@waymark/domain/flows';
import { SETTINGS } from '@waymark/service-kit/config';
import { FlowsModule } from '../flows/flows.module.js';
import { EffectOutcomes } from './effect-outcomes.js';
import type { EffectSettings } from './effect-settings.js';
import { EffectsLifecycle } from './effects-lifecycle.js';

const TIMEOUT_MS = 10_000;
const POLL_MS = 1_000;

/** Effects of flows, carried out in every replica (S19). */
@Module({
  imports: [FlowsModule],
  providers: [
    EffectOutcomes,
    EffectsLifecycle,
    {
      provide: EffectWorker,
      useFactory: createWorker,
      inject: [Database, RunCommand, FlowCatalogue, SETTINGS, EffectOutcomes],
    },
  ],
})
export class EffectsModule {}

function createWorker(
  database: Database,
  runner: RunCommand,
  catalogue: FlowCatalogue,
  settings: EffectSettings,
  outcomes: EffectOutcomes,
): EffectWorker {
  return new EffectWorker(database, runner, catalogue, {
    webhooks: {
      allowPrivateAddresses: settings.webhookPrivateAddresses,
      sendUncommitted: settings.webhookUncommitted,
      timeoutMs: TIMEOUT_MS,
    },
    concurrency: settings.effectConcurrency,
    pollMs: POLL_MS,
    onOutcome: (...outcome) => outcomes.record(...outcome),
  });
}
