import {
  Module,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type Provider,
  type Type,
} from '@nestjs/common';
import { Database } from '@waymark/domain/database';
import { DelayWorker, loadDueDelays } from '@waymark/domain/delays';
import { EffectWorker, loadWaitingEffects, DeliveryWorker } from '@waymark/domain/outbound';
import { RunCommand } from '@waymark/domain/states';
import { FlowCatalogue } from '@waymark/domain/flows';
import { SETTINGS } from '@waymark/service-kit/config';
import { Admission } from '@waymark/service-kit/limits';
import { LOGGER, Metrics } from '@waymark/service-kit/observability';
import type { Logger } from 'pino';
import type { BlocksSettings } from '../config/settings.js';
import { FlowsModule } from '../flows/flows.module.js';
import { recordDelays, recordDelayTroubles, recordDueDelays } from './delay-metrics.js';
import { recordBacklogs, recordDeliveries, recordDeliveryTroubles } from './delivery-metrics.js';
import { recordEffectTroubles, recordOutcomes, recordWaitingEffects } from './effect-metrics.js';

/** How long a receiver of webhooks or events may take to answer. */
const TIMEOUT_MS = 10_000;
/** How often an idle worker asks the database for work. */
const POLL_MS = 1_000;
/** Of the two seconds within which an event is delivered (E3). */
const IDLE_MS = 500;

/**
 * What works in the background of a replica: webhooks and triggers, events for endpoints, delays.
 */
interface Worker {
  start(): void;
  /** Returns when what was begun has ended. */
  stop(): Promise<void>;
}

/** Runs a worker from the start to the shutdown of the service. */
class WorkerLifecycle
  implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown
{
  private stopped: Promise<void> | undefined;

  constructor(private readonly worker: Worker) {}

  /** The provider that runs the worker of a module. */
  static of(worker: Type<Worker>): Provider {
    return {
      provide: `lifecycle of ${worker.name}`,
      useFactory: (provided: Worker) => new WorkerLifecycle(provided),
      inject: [worker],
    };
  }

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  /**
   * Awaited only at the end, so that sockets are closed at the same time: Nest goes through the
   * modules one after the other.
   */
  onModuleDestroy(): void {
    this.stopped = this.worker.stop();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stopped;
  }
}

/**
 * What is done beside requests, by every replica: effects of flows (S19), the event log for
 * endpoints (E8), and delays that go on (Z4).
 */
@Module({
  imports: [FlowsModule],
  providers: [
    WorkerLifecycle.of(EffectWorker),
    {
      provide: EffectWorker,
      useFactory: createEffectWorker,
      inject: [Database, RunCommand, FlowCatalogue, SETTINGS, Metrics, LOGGER],
    },
    WorkerLifecycle.of(DeliveryWorker),
    {
      provide: DeliveryWorker,
      useFactory: createDeliveryWorker,
      inject: [Database, SETTINGS, Metrics, Admission, LOGGER],
    },
    WorkerLifecycle.of(DelayWorker),
    {
      provide: DelayWorker,
      useFactory: createDelayWorker,
      inject: [Database, RunCommand, FlowCatalogue, SETTINGS, Metrics, Admission, LOGGER],
    },
  ],
})
export class OutboundModule {}

function createEffectWorker(
  database: Database,
  runner: RunCommand,
  catalogue: FlowCatalogue,
  settings: BlocksSettings,
  metrics: Metrics,
  logger: Logger,
): EffectWorker {
  recordWaitingEffects(metrics, () => loadWaitingEffects(database));
  return new EffectWorker(database, runner, catalogue, {
    sending: sendingOf(settings),
    sendUncommitted: settings.webhookUncommitted,
    concurrency: settings.effectConcurrency,
    pollMs: POLL_MS,
    onOutcome: recordOutcomes(metrics, logger),
    onTrouble: recordEffectTroubles(metrics, logger),
  });
}

function createDeliveryWorker(
  database: Database,
  settings: BlocksSettings,
  metrics: Metrics,
  admission: Admission,
  logger: Logger,
): DeliveryWorker {
  const worker = new DeliveryWorker(database, {
    sending: sendingOf(settings),
    pollMs: POLL_MS,
    idleMs: IDLE_MS,
    // Then requests wait for one another.
    isBusy: () => admission.running > settings.poolSize,
    onOutcome: recordDeliveries(metrics, logger),
    onTrouble: recordDeliveryTroubles(metrics, logger),
  });
  recordBacklogs(metrics, worker);
  return worker;
}

function createDelayWorker(
  database: Database,
  runner: RunCommand,
  catalogue: FlowCatalogue,
  settings: BlocksSettings,
  metrics: Metrics,
  admission: Admission,
  logger: Logger,
): DelayWorker {
  recordDueDelays(metrics, () => loadDueDelays(database));
  return new DelayWorker(database, runner, catalogue, {
    pollMs: POLL_MS,
    isBusy: () => admission.running > settings.poolSize,
    onOutcome: recordDelays(metrics, logger),
    onTrouble: recordDelayTroubles(metrics, logger),
  });
}

const sendingOf = ({ webhookPrivateAddresses }: BlocksSettings) => ({
  allowPrivateAddresses: webhookPrivateAddresses,
  timeoutMs: TIMEOUT_MS,
});
