import { Database } from '@waymark/domain/database';
import { describeConnectFailure } from '@waymark/domain/database/errors';
import { areEventPlacesAhead, createDataSource, loadMigrationStatus } from '@waymark/domain/schema';
import type { DataSource } from 'typeorm';
import type { Settings } from '../config/settings.js';
import { findLocalStack } from '../config/local-file.js';
import { CommandRefusal } from '../refusal/command-refusal.js';

interface Address {
  url: string;
  name: string;
}

/**
 * Connects to DATABASE_URL, else to the local stack's database. Throws a `CommandRefusal` that says
 * what to do.
 */
export async function openOperatorDatabase(
  settings: Settings,
  { anySchema = false, poolSize = 4 }: { anySchema?: boolean; poolSize?: number },
): Promise<DataSource> {
  const address = await getAddress(settings);
  const dataSource = await connect(address.url, address.name, poolSize);
  if (!anySchema) await refuseWhenBehind(dataSource, settings);
  return dataSource;
}

/** Connects; `name` is how the refusal names the database, since the URL has the password in it. */
export async function connect(url: string, name: string, poolSize: number): Promise<DataSource> {
  const timeouts = { statementTimeoutMs: 0, connectTimeoutMs: 5_000, answerTimeoutMs: 0 };
  try {
    return await createDataSource({
      url,
      poolSize,
      applicationName: 'waymark',
      ...timeouts,
    }).initialize();
  } catch (error) {
    throw new CommandRefusal(`${name} cannot be reached: ${describeConnectFailure(error)}`, {
      status: 'unreachable',
      cause: error,
    });
  }
}

/** Where the database is. Throws a `CommandRefusal` where there is none. */
export async function getAddress({ databaseUrl }: Settings): Promise<Address> {
  if (databaseUrl !== undefined) return { url: databaseUrl, name: 'the database of DATABASE_URL' };
  const stack = await findLocalStack();
  if (stack)
    return {
      url: stack.databaseUrl,
      name: 'the database of the local stack (is it running? `npm start` starts it)',
    };
  throw new CommandRefusal(
    'there is no database: set DATABASE_URL, or start the local stack with `npm start`',
    {
      status: 'unreachable',
    },
  );
}

async function refuseWhenBehind(
  dataSource: DataSource,
  { preparedStatements }: Settings,
): Promise<void> {
  const { pending } = await loadMigrationStatus(dataSource);
  const isAhead =
    pending.length === 0 &&
    (await areEventPlacesAhead(new Database(dataSource, preparedStatements)));
  if (pending.length === 0 && !isAhead) return;
  await dataSource.destroy();
  if (isAhead)
    throw new CommandRefusal(
      'the database was restored into another cluster, which counts transactions anew; run `waymark migrate up`',
    );
  throw new CommandRefusal(
    `the database is behind by ${pending.length} migration(s); run \`waymark migrate up\``,
  );
}

/**
 * Throws a `CommandRefusal` where what is set for the session at its start does not hold, as behind
 * a pooler: a lock of the session would stay with the pooler's connection.
 */
export async function requireSession(dataSource: DataSource): Promise<DataSource> {
  const [row] = (await dataSource.query(
    "SELECT current_setting('idle_in_transaction_session_timeout') AS set",
  )) as [{ set: string }];
  if (row.set === '10s') return dataSource;
  await dataSource.destroy();
  throw new CommandRefusal(
    'the database of DATABASE_URL is behind a pooler that does not take the settings of a session: for migrations give DATABASE_URL the address of PostgreSQL itself',
  );
}
