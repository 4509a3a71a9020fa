import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RunningPostgres, startPostgres, type StopMode } from '@waymark/local-postgres';
import { freePort } from '../ports/index.js';
import { migrate } from './template.js';

/** A server of one's own, to kill and to start again on the same port and data. */
export interface ThrowawayPostgres {
  /** A database on it, migrated unless it was to be empty. */
  url: string;
  port: number;
  start(): Promise<void>;
  /** `immediate` is a crash. */
  stop(mode?: StopMode): Promise<void>;
  restart(mode?: StopMode): Promise<void>;
  /** SIGKILL to the postmaster. */
  kill(): Promise<void>;
  /** Stops the server and deletes its data. */
  remove(): Promise<void>;
}

interface ThrowawayOptions {
  /** By default: what was acknowledged before a crash must be there afterwards. */
  readonly durable?: boolean;
  /** Folder of another PostgreSQL than the installed one. */
  readonly native?: string;
  /** Without a schema. */
  readonly empty?: boolean;
}

export async function startThrowawayPostgres({
  durable = true,
  native,
  empty,
}: ThrowawayOptions = {}): Promise<ThrowawayPostgres> {
  const folder = await mkdtemp(path.join(tmpdir(), 'waymark-throwaway-'));
  // The server may run as another user, who has to pass through.
  await chmod(folder, 0o711);
  const settings = { max_connections: '200' };
  const port = await freePort();
  const launch = () =>
    startPostgres({
      dataDir: path.join(folder, 'postgres'),
      durable,
      port,
      settings,
      ...(native && { native }),
    });
  let server: RunningPostgres | undefined = await launch();
  const { url } = server;
  const start = async () => void (server ??= await launch());
  const end = async (way: (running: RunningPostgres) => Promise<void>) => {
    const running = server;
    server = undefined;
    if (running) await way(running);
  };
  const stop = (mode?: StopMode) => end((running) => running.stop(mode));
  if (!empty) await migrate(url);
  return {
    url,
    port,
    start,
    stop,
    restart: async (mode) => {
      await stop(mode);
      await start();
    },
    kill: () => end((running) => running.kill()),
    remove: async () => {
      await stop('immediate');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
