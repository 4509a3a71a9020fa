import { raiseEngineLevel } from '@waymark/domain/flows';
import { loadMigrationStatus, migrateDown, migrateUp } from '@waymark/domain/schema';
import { removeData, type RunningPostgres, startPostgres } from '@waymark/local-postgres';
import type { DataSource } from 'typeorm';
import { connect } from '../command-line/open-database.js';
import type { Session } from '../command-line/session.js';

interface StackDatabase {
  url: string;
  /** Connected and migrated. */
  dataSource: DataSource;
  /** Undefined if the server is not ours (DATABASE_URL). */
  server: RunningPostgres | undefined;
}

/** The database of the stack, running and migrated; empty when `reset` is confirmed. */
export async function openStackDatabase(
  session: Session,
  dataDir: string,
  reset: boolean,
): Promise<StackDatabase> {
  const { databaseUrl } = session.settings;
  if (databaseUrl !== undefined) return openOwnDatabase(session, databaseUrl, reset);
  if (reset) {
    await session.confirm(`This deletes the data of the local stack in ${dataDir} for ever.`);
    await removeData(dataDir);
  }
  const server = await startPostgres({ dataDir, durable: true });
  try {
    const dataSource = await connect(server.url, 'the database of the local stack', 4);
    await migrateUp(dataSource);
    // Nothing of an older release runs beside it.
    await raiseEngineLevel(dataSource);
    return { url: server.url, dataSource, server };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function openOwnDatabase(
  session: Session,
  url: string,
  reset: boolean,
): Promise<StackDatabase> {
  if (reset)
    await session.confirm(
      'This deletes everything of Waymark in the database of DATABASE_URL for ever.',
    );
  const dataSource = await session.openOperatorDatabase({ anySchema: true });
  while (reset && (await loadMigrationStatus(dataSource)).applied.length > 0)
    await migrateDown(dataSource);
  await migrateUp(dataSource);
  return { url, dataSource, server: undefined };
}
