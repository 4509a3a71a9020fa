import { readlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readPassword } from './cluster.js';
import { findPostmaster, isAlive } from './postmaster.js';
import { isInUse } from './postgres-failure.js';
import { type PostgresOptions, startPostgres, urlOf } from './start-postgres.js';

/** A server that several processes share; the first of them starts it. */
interface SharedPostgres {
  url: string;
  /** Stops the server if this process started it; others that share it start it again. */
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 250;
const ATTEMPTS = 3;
/** How long another process may take to start it: a machine may be slow. */
const LONGEST_START_MS = 60_000;

/**
 * The server that runs on the data already, or a new one. While it is another process's, it is
 * watched: when it goes, it is started again here, on the same port, so that the address stays
 * good.
 */
export async function sharePostgres(options: PostgresOptions): Promise<SharedPostgres> {
  let stopServer: (() => Promise<void>) | undefined;
  let isStopped = false;
  const hold = async (port?: number) => {
    const server = await findOrStart({ ...options, port });
    stopServer = server.stop;
    if (!server.stop) void watch(server.pid, server.port);
    return server;
  };
  const watch = async (pid: number, port: number) => {
    while (!isStopped && isAlive(pid)) await pause(LOOK_EVERY_MS, undefined, { ref: false });
    if (!isStopped) await hold(port).catch(() => undefined);
  };
  const { url } = await hold();
  return {
    url,
    stop: async () => {
      isStopped = true;
      await stopServer?.();
    },
  };
}

interface Held {
  url: string;
  pid: number;
  port: number;
  /** Undefined for another process's server. */
  stop?: () => Promise<void>;
}

/**
 * Several may start at once: the slower ones find the server of the fastest as soon as it listens.
 */
async function findOrStart(options: PostgresOptions): Promise<Held> {
  const deadline = Date.now() + LONGEST_START_MS;
  for (let attempt = 1; ; attempt++) {
    const running = await findRunning(path.resolve(options.dataDir));
    if (running) return running;
    try {
      return await startPostgres(options);
    } catch (error) {
      if (isInUse(error) ? Date.now() > deadline : attempt >= ATTEMPTS) throw error;
      await pause(LOOK_EVERY_MS);
    }
  }
}

async function findRunning(wanted: string): Promise<Held | undefined> {
  const dataDir = await readlink(wanted).catch(() => wanted);
  const found = await findPostmaster(dataDir);
  return found && { ...found, url: urlOf(await readPassword(dataDir), found.port) };
}
