import { Module } from '@nestjs/common';
import { Database } from '@waymark/domain/database';
import { DeliveryWorker } from '@waymark/domain/event-log';
import { SETTINGS } from '@waymark/service-kit/config';
import { LOGGER } from '@waymark/service-kit/logging';
import { Metrics } from '@waymark/service-kit/metrics';
import { Admission } from '@waymark/service-kit/overload';
import type { Logger } from 'pino';
import type { BlocksSettings } from '../config/index.js';
import { WorkerLifecycle } from '../workers/index.js';
import { recordBacklogs, recordDeliveries, recordDeliveryTroubles } from './delivery-records.js';

const TIMEOUT_MS = 10_000;
const POLL_MS = 1_000;
/** Of the two seconds within which an event is told (E3). */
const IDLE_MS = 500;

/** The event log, delivered to endpoints by every replica (E8). */
@Module({
  providers: [
    WorkerLifecycle.of(DeliveryWorker),
    { provide: DeliveryWorker, useFactory: createWorker, inject: [Database, SETTINGS, Metrics, Admission, LOGGER] },
  ],
})
export class EndpointsModule {}

function createWorker(
  database: Database,
  settings: BlocksSettings,
  metrics: Metrics,
  admission: Admission,
  logger: Logger,
): DeliveryWorker {
  const worker = new DeliveryWorker(database, {
    sending: { allowPrivateAddresses: settings.webhookPrivateAddresses, timeoutMs: TIMEOUT_MS },
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
