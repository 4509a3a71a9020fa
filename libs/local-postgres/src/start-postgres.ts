import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { prepareBinaries } from './binaries.js';
import { initialise, readPassword } from './cluster.js';
import { resolveDataDir } from './data-dir.js';
import { clearStalePid } from './postmaster.js';
import { explain, PostgresFailure } from './postgres-failure.js';
import { launch, type RunningPostgres, type ServerCommand } from './server-process.js';
import { findServerUser } from './server-user.js';

export interface PostgresOptions {
  /** Made at the first start, found again at the next. */
  dataDir: string;
  /** Any free port unless given. */
  port?: number;
  /** False gives up safety against a crash of the machine for speed: for tests only. */
  durable: boolean;
  /** `<dataDir>.log` unless given; started again when it has grown to a megabyte. */
  logFile?: string;
  /**
   * Folder of PostgreSQL's `bin`, such as one of npm's packages or of the system; that of the
   * installed package unless given.
   */
  native?: string;
  /** Further settings of `postgresql.conf`. */
  settings?: Record<string, string>;
}

const FAST_AND_LOOSE = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
};

/**
 * Starts the PostgreSQL that npm installed, on 127.0.0.1, as another user where the process is
 * root. It stops with the process that started it, even when that is killed. Throws
 * `PostgresFailure` with one clear sentence.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const wanted = path.resolve(options.dataDir);
  try {
    return await start(wanted, options);
  } catch (error) {
    if (error instanceof PostgresFailure) throw error;
    throw explain('PostgreSQL cannot be started', (error as Error).message, { dataDir: wanted });
  }
}

async function start(wanted: string, options: PostgresOptions): Promise<RunningPostgres> {
  const user = await findServerUser(wanted);
  const dataDir = await resolveDataDir(wanted, user);
  const native = await prepareBinaries(path.dirname(dataDir), user, options.native);
  await initialise(native, dataDir, user);
  await clearStalePid(dataDir);
  const password = await readPassword(dataDir);
  const port = options.port ?? (await findFreePort());
  const logFile = path.resolve(options.logFile ?? `${wanted}.log`);
  const settings = { ...(options.durable ? {} : FAST_AND_LOOSE), ...options.settings };
  const server = await launchOnceFree({ native, dataDir, logFile, port, settings, user });
  return { ...server, url: urlOf(password, port) };
}

const LINGERING_MS = 10_000;

/**
 * The children of a server that was killed hold its memory until they notice: a second start waits
 * for them.
 */
async function launchOnceFree(command: ServerCommand) {
  const deadline = Date.now() + LINGERING_MS;
  for (;;) {
    try {
      return await launch(command);
    } catch (error) {
      const isHeld = (error as Error).cause === 'pre-existing shared memory block';
      if (!isHeld || Date.now() > deadline) throw error;
      await pause(100);
    }
  }
}

/** The address of a local server's database `postgres`. */
export const urlOf = (password: string, port: number): string =>
  `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
