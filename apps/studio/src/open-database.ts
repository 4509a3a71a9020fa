import { loadMigrationStatus } from '@waymark/domain/schema';
import { openDatabase } from '@waymark/service-kit/database';
import { StartError } from '@waymark/service-kit/errors';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import type { StudioSettings } from './config/index.js';

/** Reports and plans read long, a page at a time: no statement of theirs takes this long. */
const STATEMENT_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 5_000;

/** Connects, and refuses a schema that is behind. Throws a `StartError` that says what to do. */
export async function openStudioDatabase({ databaseUrl, poolSize }: StudioSettings, logger: Logger): Promise<DataSource> {
  const timeouts = { statementTimeoutMs: STATEMENT_TIMEOUT_MS, connectTimeoutMs: CONNECT_TIMEOUT_MS, answerTimeoutMs: 0 };
  const dataSource = await openDatabase({ url: databaseUrl, poolSize, applicationName: 'waymark-studio', ...timeouts }, logger);
  const { pending } = await loadMigrationStatus(dataSource);
  if (pending.length === 0) return dataSource;
  await dataSource.destroy();
  throw new StartError(`the database is behind by ${pending.length} migration(s): run "waymark migrate up" first`);
}
