import { poolOf } from '@waymark/domain/database';
import { createDataSource, type DatabaseSettings } from '@waymark/domain/schema';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { StartError } from '../config/read-settings.js';
import { retryAtStart, unusable } from './retry-at-start.js';

/**
 * Connects for as long as the process lives. Throws a `StartError` when the database cannot be
 * used. Connections that are lost later are noted, never fatal (R3).
 */
export async function openDatabase(
  settings: DatabaseSettings,
  logger: Logger,
): Promise<DataSource> {
  const dataSource = createDataSource(settings);
  try {
    await retryAtStart(() => dataSource.initialize(), logger);
  } catch (error) {
    throw error instanceof StartError ? error : unusable(error);
  }
  poolOf(dataSource).on('error', (error) =>
    logger.warn({ err: error }, 'a connection to the database was lost'),
  );
  return dataSource;
}
