import { Module } from '@nestjs/common';
import { StateChanges } from '@waymark/domain/flow-states';
import { type LiveBus, PostgresBus } from '@waymark/domain/live-bus';
import { LOGGER } from '@waymark/service-kit/logging';
import { SETTINGS } from '@waymark/service-kit/config';
import type { Logger } from 'pino';
import type { BlocksSettings } from '../config/index.js';
import { CombinedBus } from './combined-bus.js';
import { LIVE_BUS } from './live-bus-token.js';
import { LiveStateChanges } from './live-state-changes.js';
import { RedisBus } from './redis-bus.js';

/** What commands tell their changes to; separate from the rest, which needs the use case itself. */
@Module({
  providers: [
    { provide: LIVE_BUS, useFactory: createBus, inject: [SETTINGS, LOGGER] },
    LiveStateChanges,
    { provide: StateChanges, useExisting: LiveStateChanges },
  ],
  exports: [LIVE_BUS, LiveStateChanges, StateChanges],
})
export class LiveBusModule {}

function createBus(settings: BlocksSettings, logger: Logger): LiveBus {
  const onTrouble = (error: Error): void => logger.warn({ err: error }, 'the live bus lost its connection, trying again');
  const url = settings.liveDatabaseUrl ?? settings.databaseUrl;
  const postgres = new PostgresBus({ url, applicationName: 'blocks-api live bus', onTrouble });
  if (settings.liveBus === 'postgres' || settings.redisUrl === undefined) return postgres;
  return new CombinedBus(new RedisBus({ url: settings.redisUrl, onTrouble }), postgres);
}
