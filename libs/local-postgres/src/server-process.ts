import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { explain, PostgresFailure } from './postgres-failure.js';
import type { ServerUser } from './server-user.js';

/**
 * `fast` ends connections and writes everything down; `immediate` is a crash, mended at the next
 * start.
 */
export type StopMode = 'fast' | 'immediate';

/** A server that accepts connections. */
export interface RunningPostgres {
  /** Of the superuser, to the database `postgres`. */
  url: string;
  port: number;
  /** Process id of the postmaster. */
  pid: number;
  /** Ends with the server, however it ends. */
  exited: Promise<void>;
  stop(mode?: StopMode): Promise<void>;
  /** SIGKILL to the postmaster; its children end by themselves. */
  kill(): Promise<void>;
}

export interface ServerCommand {
  native: string;
  dataDir: string;
  logFile: string;
  port: number;
  settings: Record<string, string>;
  user: ServerUser | undefined;
}

/**
 * Starts the server, prints its process id, and stops it (`fast`) when the pipe on descriptor 3
 * closes: that also happens when the process at its other end is killed.
 */
const GUARD = `
  "$@" >&2 3<&- & server=$!
  echo $server; exec >&2
  { cat; kill -INT $server; } <&3 >/dev/null 2>&1 & guard=$!
  wait $server; status=$?
  kill $guard 2>/dev/null; exit $status`;

const LONGEST_LOG = 1_048_576;
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 15_000;

/**
 * Resolves with the process id once the server accepts connections; throws a sentence when it ends
 * before.
 */
export async function launch(command: ServerCommand): Promise<Omit<RunningPostgres, 'url'>> {
  const { child, watchdog, said } = spawnGuarded(command);
  const failure = (text = said()) => explain('PostgreSQL cannot be started', text, command);
  const exited = new Promise<void>((resolve) =>
    child.once('exit', () => (watchdog.destroy(), resolve())),
  );
  const failed = once(child, 'error').then(([error]) =>
    Promise.reject(failure((error as Error).message)),
  );
  failed.catch(() => undefined);
  const pid = await Promise.race([readPid(child, failure), failed]);
  const stop = (mode: StopMode = 'fast') => stopServer(pid, watchdog, exited, mode);
  try {
    await waitUntilReady(command, pid, child, failure);
  } catch (error) {
    await stop('immediate');
    throw error;
  }
  return { port: command.port, pid, exited, stop, kill: () => (signal(pid, 'SIGKILL'), exited) };
}

function spawnGuarded({ native, dataDir, logFile, port, settings, user }: ServerCommand) {
  const all = {
    ...settings,
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
  };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openLog(logFile);
  const start = fstatSync(log).size;
  const child = spawn(
    '/bin/sh',
    ['-c', GUARD, 'sh', path.join(native, 'bin/postgres'), '-D', dataDir, ...options],
    {
      ...user,
      cwd: '/',
      // A group of its own: Ctrl-C at the terminal is for the parent, which stops the server when
      // its own work is done.
      detached: true,
      stdio: ['ignore', 'pipe', log, 'pipe'],
      env: { LC_ALL: 'C', TZ: 'UTC' },
    },
  );
  closeSync(log);
  const watchdog = child.stdio[3] as Duplex;
  watchdog.on('error', () => undefined);
  return { child, watchdog, said: () => readFileSync(logFile).subarray(start).toString() };
}

/**
 * Always appended to, so that a second start on the same data cannot garble the log of the first.
 */
function openLog(logFile: string): number {
  const log = openSync(logFile, 'a', 0o600);
  if (fstatSync(log).size > LONGEST_LOG) ftruncateSync(log);
  return log;
}

async function readPid(child: ChildProcess, failure: () => PostgresFailure): Promise<number> {
  let text = '';
  for await (const chunk of child.stdout!) if ((text += String(chunk)).includes('\n')) break;
  const pid = Number(text);
  if (pid > 0) return pid;
  throw failure();
}

/** The eighth line of `postmaster.pid` is what `pg_ctl` waits for too. */
async function waitUntilReady(
  { dataDir, logFile }: ServerCommand,
  pid: number,
  child: ChildProcess,
  failure: () => PostgresFailure,
): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const lines = (
      await readFile(path.join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '')
    ).split('\n');
    if (Number(lines[0]) === pid && lines[7]?.trim() === 'ready') return;
    if (child.exitCode !== null || child.signalCode !== null) throw failure();
    if (Date.now() > deadline)
      throw new PostgresFailure(`PostgreSQL was not ready within two minutes (log: ${logFile})`);
    await pause(10);
  }
}

async function stopServer(
  pid: number,
  watchdog: Duplex,
  exited: Promise<void>,
  mode: StopMode,
): Promise<void> {
  if (mode === 'immediate') signal(pid, 'SIGQUIT');
  watchdog.destroy();
  const late = new AbortController();
  const escalate = pause(STOP_TIMEOUT_MS, undefined, { signal: late.signal }).then(
    () => signal(pid, 'SIGQUIT'),
    () => undefined,
  );
  await exited;
  late.abort();
  await escalate;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended already, which is what was wanted.
  }
}
