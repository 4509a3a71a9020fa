import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { migrateUp } from '@waymark/domain/schema';
import { sharePostgres } from '@waymark/local-postgres';
import { findAuthor } from '../command-line/author.js';
import { connect } from '../command-line/open-database.js';
import { DEFAULT_ENVIRONMENT } from '../config/default-environment.js';
import { readCommandSettings } from '../config/settings.js';
import { addDemo } from './demo.js';
import { ensureKeys } from './ensure-keys.js';
import {
  findLocalFolder,
  findLocalStack,
  type LocalStack,
  writeLocalStack,
} from '../config/local-file.js';

const PREPARING = 7_140_072;

/** What a service under development needs. */
interface DevelopmentDatabase extends LocalStack {
  /** Stops the server if this process started it. */
  stop(): Promise<void>;
}

/**
 * The database for `nx serve`: DATABASE_URL, else the one of the local stack, started here unless
 * it runs already. Migrated, with demo flows and development keys, which `.waymark/local.json` has
 * as for the local stack. Any number of processes may ask at once.
 */
export async function openDevelopmentDatabase(): Promise<DevelopmentDatabase> {
  const settings = readCommandSettings();
  const folder = findLocalFolder();
  await mkdir(folder, { recursive: true, mode: 0o711 });
  const shared =
    settings.databaseUrl === undefined
      ? await sharePostgres({ dataDir: path.join(folder, 'postgres'), durable: true })
      : { url: settings.databaseUrl, stop: () => Promise.resolve() };
  const dataSource = await connect(shared.url, 'the database', 4);
  const turn = dataSource.createQueryRunner();
  try {
    await migrateUp(dataSource);
    // One at a time, so that the second finds the keys of the first.
    await turn.query('SELECT pg_advisory_lock($1)', [PREPARING]);
    const before = await findLocalStack(folder);
    const keys = await ensureKeys(
      dataSource,
      DEFAULT_ENVIRONMENT,
      before,
      findAuthor({}, settings),
    );
    await addDemo(dataSource, DEFAULT_ENVIRONMENT);
    const usersUrl = before?.usersUrl ?? `http://127.0.0.1:${settings.usersPort}`;
    const blocksUrl = before?.blocksUrl ?? `http://127.0.0.1:${settings.blocksPort}`;
    const stack: LocalStack = {
      usersUrl,
      blocksUrl,
      databaseUrl: shared.url,
      environment: DEFAULT_ENVIRONMENT,
      ...keys,
    };
    await writeLocalStack(folder, stack);
    return { ...stack, stop: shared.stop };
  } finally {
    await turn.release();
    await dataSource.destroy();
  }
}
