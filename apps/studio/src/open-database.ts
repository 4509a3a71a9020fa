import { describeConnectFailure, poolOf } from '@waymark/domain/database';
import { createDataSource, loadMigrationStatus } from '@waymark/domain/schema';
import { StartError } from '@waymark/service-kit/errors';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import type { StudioSettings } from './config/index.js';

/** Reports and plans read long, a page at a time: no statement of theirs takes this long. */
const STATEMENT_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 5_000;

/** Connects, and refuses a schema that is behind. Throws a `StartError` that says what to do. */
export async function openStudioDatabase({ databaseUrl, poolSize }: StudioSettings, logger: Logger): Promise<DataSource> {
  const dataSource = await connect(databaseUrl, poolSize);
  poolOf(dataSource).on('error', (error) => logger.warn({ err: error }, 'a connection to the database was lost'));
  const { pending } = await loadMigrationStatus(dataSource);
  if (pending.length === 0) return dataSource;
  await dataSource.destroy();
  throw new StartError(`the database is behind by ${pending.length} migration(s): run "waymark migrate up" first`);
}

async function connect(url: string, poolSize: number): Promise<DataSource> {
  const timeouts = { statementTimeoutMs: STATEMENT_TIMEOUT_MS, connectTimeoutMs: CONNECT_TIMEOUT_MS, answerTimeoutMs: 0 };
  try {
    return await createDataSource({ url, poolSize, applicationName: 'waymark-studio', ...timeouts }).initialize();
  } catch (error) {
    throw new StartError(`the database of DATABASE_URL cannot be used: ${describeConnectFailure(error)}`, { cause: error });
  }
}
