import { spawnSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { explain } from './postgres-failure.js';

/** The server process that runs on some data. */
interface Postmaster {
  pid: number;
  port: number;
}

/** The server that is alive and listens; undefined when none runs on the data, or not yet. */
export async function findPostmaster(dataDir: string): Promise<Postmaster | undefined> {
  const found = await readPidFile(dataDir);
  return found && (await isServer(found.pid, dataDir)) && (await listens(found.port))
    ? found
    : undefined;
}

/**
 * Throws when a server runs on the data, or is about to. What a killed server left is removed where
 * its process id now belongs to some other process, which PostgreSQL would take for the server.
 */
export async function clearStalePid(dataDir: string): Promise<void> {
  const left = await readPidFile(dataDir);
  if (!left || !isAlive(left.pid)) return;
  if (await isServer(left.pid, dataDir)) {
    throw explain('PostgreSQL cannot be started', 'lock file "postmaster.pid" already exists', {
      dataDir,
    });
  }
  await rm(path.join(dataDir, 'postmaster.pid'));
}

/**
 * By what the process was called with; where that cannot be known any live process may be the
 * server.
 */
async function isServer(pid: number, dataDir: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const called = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) || askPs(pid);
  return called === undefined || called.includes(dataDir);
}

function askPs(pid: number): string | undefined {
  const { status, stdout } = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], {
    encoding: 'utf8',
  });
  return status === 0 ? stdout : undefined;
}

async function readPidFile(dataDir: string): Promise<Postmaster | undefined> {
  const lines = (
    await readFile(path.join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '')
  ).split('\n');
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
