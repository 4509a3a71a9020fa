import { createDataSource, isUnavailable, type DatabaseSettings } from '@waymark/domain/database';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { StartError } from '../errors/start-error.js';

/**
 * Connects for as long as the process lives. Throws a `StartError` when the database cannot be used. Connections that
 * are lost later are noted, never fatal (R3).
 */
export async function openDatabase(settings: DatabaseSettings, logger: Logger): Promise<DataSource> {
  const dataSource = createDataSource(settings);
  try {
    await dataSource.initialize();
  } catch (error) {
    throw new StartError(`the database of DATABASE_URL cannot be used: ${reasonOf(error)}`, { cause: error });
  }
  const { master: pool } = dataSource.driver as unknown as { master: Pool };
  pool.on('error', (error) => logger.warn({ err: error }, 'a connection to the database was lost'));
  return dataSource;
}

/** Without the URL, which has the password in it. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  if (code === 'ECONNREFUSED') return 'nothing listens there (ECONNREFUSED)';
  if (code === 'ENOTFOUND') return 'there is no such host (ENOTFOUND)';
  if (code === '28P01' || code === '28000') return `the user or the password is refused (${code})`;
  if (code === '3D000') return `there is no such database (${code})`;
  return isUnavailable(error) ? `it gives no answer (${code ?? message})` : (code ?? message ?? 'unknown');
}
