import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CommandRefusal } from '../refusal/command-refusal.js';
import { childVariables } from '../config/build.js';
import { say } from './log.js';

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 10_000;

interface ServiceVariables {
  databaseUrl: string;
  host: string;
  port: number;
  /** Settings of its own. */
  more?: Record<string, string>;
  /** What answers once it takes requests. */
  readyPath?: string;
}

/** A service in a process of its own, writing into the stack's log. */
export interface ServiceProcess {
  name: string;
  url: string;
  exited: Promise<void>;
  /** Resolves when it takes requests; throws when it ended, or the signal came, before. */
  ready(signal: AbortSignal): Promise<void>;
  /** Lets it finish what it does; kills it when that takes too long. */
  stop(): Promise<void>;
}

export function startServiceProcess(
  name: string,
  { databaseUrl, host, port, more, readyPath = '/health/ready' }: ServiceVariables,
): ServiceProcess {
  // The docs are on whatever NODE_ENV says: their address is printed.
  const settings = {
    ...{ DATABASE_URL: databaseUrl, HOST: host, PORT: String(port), METRICS_PORT: '0', DOCS: 'on' },
    // Receivers of webhooks and events run on this machine too.
    WEBHOOK_PRIVATE_ADDRESSES: 'on',
    ...more,
  };
  const child = spawn(
    process.execPath,
    [
      '--enable-source-maps',
      '--import',
      built('./parent-watchdog.js'),
      built(`../${name}/main.js`),
    ],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: childVariables(settings),
      // Ctrl-C at the terminal is for the stack only, which stops its parts.
      detached: true,
    },
  );
  for (const output of [child.stdout, child.stderr])
    createInterface({ input: output }).on('line', (line) => say(name, line));
  child.stdin.on('error', () => undefined);
  const exited = once(child, 'exit').then(() => undefined);
  const url = urlOf(host, port);
  return {
    name,
    url,
    exited,
    ready: (signal) => waitUntilReady(name, `${url}${readyPath}`, child, signal),
    stop: () => stop(child, exited),
  };
}

/** A file beside or above the bundle. */
export const built = (relative: string): string =>
  fileURLToPath(new URL(relative, import.meta.url));

function urlOf(host: string, port: number): string {
  const isAny = host === '0.0.0.0' || host === '::';
  return `http://${isAny ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function waitUntilReady(
  name: string,
  url: string,
  child: ChildProcess,
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isReady(url))) {
    signal.throwIfAborted();
    if (child.exitCode !== null || child.signalCode !== null)
      throw new CommandRefusal(`${name} did not start; its lines above say why`);
    if (Date.now() > deadline)
      throw new CommandRefusal(`${name} was not ready within ${START_TIMEOUT_MS / 1_000} seconds`);
    await pause(50);
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

async function stop(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGINT');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(late);
}
