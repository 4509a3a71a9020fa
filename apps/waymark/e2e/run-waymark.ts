import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../src/config/settings.js';

const BIN = fileURLToPath(new URL('../bin/waymark.mjs', import.meta.url));

export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
  /** The one JSON document on stdout; throws when there is anything else. */
  json(): unknown;
}

export interface RunOptions {
  /** On top of the environment, where `undefined` takes a variable away. */
  env?: Record<string, string | undefined>;
  cwd?: string;
}

/** The built command in a process of its own, off a terminal. */
export function spawnWaymark(args: readonly string[], { env = {}, cwd = path.parse(BIN).root }: RunOptions = {}) {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: childEnvironment({ DATABASE_URL: undefined, NODE_OPTIONS: undefined, ...env }),
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (said.stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (said.stderr += String(chunk)));
  const ended = once(child, 'close').then(([status]): Ended => {
    return { status: status as number | null, ...said, json: () => JSON.parse(said.stdout) as unknown };
  });
  return { child, said, ended };
}

export const runWaymark = (args: readonly string[], options?: RunOptions): Promise<Ended> => spawnWaymark(args, options).ended;

/** What a test has to know of a running local stack. */
export interface RunningStack {
  child: ChildProcess;
  ended: Promise<Ended>;
  /** What it has said so far. */
  output(): string;
}

/** `waymark up` in that folder on free ports, once it says that it is ready. */
export async function startStack(cwd: string, args: readonly string[] = []): Promise<RunningStack> {
  const { child, said, ended } = spawnWaymark(['up', ...args], { cwd, env: { USERS_PORT: '0', BLOCKS_PORT: '0' } });
  let over: Ended | undefined;
  void ended.then((end) => (over = end));
  await until(() => over !== undefined || said.stdout.includes('\nready;'));
  if (over) throw new Error(`the stack ended with ${over.status}: ${over.stderr}${over.stdout}`);
  return { child, ended, output: () => said.stdout };
}

/** Looks again and again until it is so; the test's own time limit ends it otherwise. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(20);
}
