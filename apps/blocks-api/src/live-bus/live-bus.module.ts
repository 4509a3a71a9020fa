import { Module } from '@nestjs/common';
import { LiveBus, PostgresBus, StateChanges } from '@waymark/domain/states';
import { LOGGER } from '@waymark/service-kit/observability';
import { SETTINGS } from '@waymark/service-kit/config';
import type { Logger } from 'pino';
import type { BlocksSettings } from '../config/settings.js';
import { RedisBus } from './redis-bus.js';

/**
 * The bus between replicas; separate from the rest, since commands announce what they changed by
 * it.
 */
@Module({
  providers: [
    { provide: LiveBus, useFactory: createBus, inject: [SETTINGS, LOGGER] },
    { provide: StateChanges, useExisting: LiveBus },
  ],
  exports: [LiveBus, StateChanges],
})
export class LiveBusModule {}

function createBus(settings: BlocksSettings, logger: Logger): LiveBus {
  const onTrouble = (error: Error): void =>
    logger.warn({ err: error }, 'the live bus lost its connection, trying again');
  const url = settings.liveDatabaseUrl ?? settings.databaseUrl;
  const postgres = new PostgresBus({ url, applicationName: 'blocks-api live bus', onTrouble });
  if (settings.liveBus === 'postgres' || settings.redisUrl === undefined) return postgres;
  return new RedisBus({ url: settings.redisUrl, onTrouble }, postgres);
}
