import { readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { explain } from './postgres-failure.js';

/** The server process that runs on some data. */
export interface Postmaster {
  pid: number;
  port: number;
}

/** What `postmaster.pid` says of a server that is alive and listens; undefined when none runs on the data. */
export async function findPostmaster(dataDir: string): Promise<Postmaster | undefined> {
  const found = await readPidFile(dataDir);
  return found && isAlive(found.pid) && (await listens(found.port)) ? found : undefined;
}

/**
 * Throws when a server runs on the data. What a killed server left is removed where its process id now belongs to some
 * other process, which PostgreSQL would take for the server.
 */
export async function clearStalePid(dataDir: string): Promise<void> {
  if (await findPostmaster(dataDir)) {
    throw explain('PostgreSQL cannot be started', 'lock file "postmaster.pid" already exists', { dataDir });
  }
  const left = await readPidFile(dataDir);
  if (left && isAlive(left.pid)) await rm(path.join(dataDir, 'postmaster.pid'));
}

async function readPidFile(dataDir: string): Promise<Postmaster | undefined> {
  const lines = (await readFile(path.join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return pid > 0 ? { pid, port: port || 0 } : undefined;
}

/** A process of another user is one, too. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const answer = (is: boolean) => (socket.destroy(), resolve(is));
    socket.once('connect', () => answer(true)).once('error', () => answer(false));
  });
}
