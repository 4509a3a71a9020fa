import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expectNoLeaks } from './log-leaks.js';
import { TEST_SETTINGS, type SettingsByName, type StartedService } from './start-service.js';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../..');

/** How a process ended. */
export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export type SpawnedName = 'users-api' | 'blocks-api' | 'studio';

/** A service in a process of its own, from `dist`. */
export interface SpawnedService extends StartedService {
  process: ChildProcess;
  /** Every line it has written so far, to both outputs. */
  lines: string[];
  /**
   * Settles when the process is gone; rejects if its log contains users, keys or tokens (W2, V4).
   */
  ended: Promise<ProcessEnd>;
}

/** The bundle of a service, with its map beside it. */
export const bundleOf = (name: SpawnedName): string =>
  path.join(ROOT, 'dist/apps', name, 'main.js');

/**
 * Starts the built service and resolves when it is ready; rejects with what it said when it ends
 * before.
 */
export async function spawnService(
  name: SpawnedName,
  settings: SettingsByName,
  bundle = bundleOf(name),
): Promise<SpawnedService> {
  const child = spawnProcess(bundle, settings);
  const { lines, ended } = child;
  const ready = new Promise<{ url: string; metricsUrl: string }>((resolve) => {
    child.onLine((line) => {
      if (line.includes('"msg":"ready"'))
        resolve(JSON.parse(line) as { url: string; metricsUrl: string });
    });
  });
  const failed = ended.then(({ code }) =>
    Promise.reject(new Error(`${name} ended with ${code}:\n${lines.join('\n')}`)),
  );
  const { url, metricsUrl } = await Promise.race([ready, failed]);
  failed.catch(() => undefined);
  return {
    url,
    metricsUrl,
    process: child.process,
    lines,
    ended,
    stop: () => stopProcess(child.process, ended),
  };
}

/** Runs the built service until it ends by itself: for starts that are to fail. */
export async function runServiceToEnd(
  name: SpawnedName,
  settings: SettingsByName,
): Promise<ProcessEnd & { output: string }> {
  const { ended, lines } = spawnProcess(bundleOf(name), { LOG_LEVEL: 'error', ...settings });
  return { ...(await ended), output: lines.join('\n') };
}

function spawnProcess(bundle: string, settings: SettingsByName) {
  // Without its map, to read which takes a quarter of a start.
  const child = spawn(process.execPath, [bundle], {
    // Everything that it can say: what it must not say is looked for when it ends.
    env: { PATH: process.env['PATH'], ...TEST_SETTINGS, LOG_LEVEL: 'trace', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const listeners: ((line: string) => void)[] = [];
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on('line', (line) => {
      lines.push(line);
      for (const listener of listeners) listener(line);
    });
  }
  const ended = once(child, 'close').then(async ([code, signal]) => {
    await expectNoLeaks(lines, databaseOf(settings));
    return { code, signal } as ProcessEnd;
  });
  return {
    process: child,
    lines,
    ended,
    onLine: (listener: (line: string) => void) => listeners.push(listener),
  };
}

/** The address of the database, with a password that was set separately. */
function databaseOf(settings: SettingsByName): string | undefined {
  const { DATABASE_URL: url, PGPASSWORD: password } = settings;
  if (url === undefined || password === undefined) return url;
  return Object.assign(new URL(url), { password: encodeURIComponent(password) }).href;
}

async function stopProcess(child: ChildProcess, ended: Promise<ProcessEnd>): Promise<void> {
  child.kill('SIGINT');
  await ended;
}
