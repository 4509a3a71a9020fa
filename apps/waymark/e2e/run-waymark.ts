import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { expectNoLeaks, PATIENCE, until } from '@waymark/testing/services';
import { childVariables } from '../src/config/build.js';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const BIN = path.join(ROOT, 'apps/waymark/bin/waymark.mjs');

const isOfService = (line: string): boolean => /^(users-api|blocks-api|studio) *\| /.test(line);

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
  /**
   * An open file that takes its stdout, as a shell's `>>` has it; nothing of it is in `Ended` then.
   */
  stdout?: number;
}

/** The built command in a process of its own, off a terminal. */
export function spawnWaymark(args: readonly string[], options?: RunOptions) {
  return spawnCommand(process.execPath, [BIN, ...args], options);
}

function spawnCommand(
  file: string,
  args: readonly string[],
  { env = {}, cwd = path.parse(BIN).root, stdout }: RunOptions = {},
) {
  const child = spawn(file, args, {
    cwd,
    stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
    env: variables(env),
  });
  const said = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => (said.stdout += String(chunk)));
  child.stderr!.on('data', (chunk) => (said.stderr += String(chunk)));
  const ended = once(child, 'close').then(([status]) =>
    endOf({ status: status as number | null, ...said }, args, env['DATABASE_URL']),
  );
  return { child, said, ended };
}

/** What a line has said, once nothing secret was found in it. */
export async function endOf(
  said: Pick<Ended, 'status' | 'stdout' | 'stderr'>,
  args: readonly string[],
  database: string | undefined,
): Promise<Ended> {
  // What the services of a stack say, not the keys that the stack itself is there to show.
  await expectNoLeaks(said.stdout.split('\n').filter(isOfService), undefined);
  // A pipeline keeps what a command says when it fails.
  if (said.status !== 0) await expectNoLeaks(said.stderr.split('\n'), database, args);
  return { ...said, json: () => JSON.parse(said.stdout) as unknown };
}

/** The environment of a command: that of this process, and what is said on top of it. */
export const variables = (env: RunOptions['env']) =>
  childVariables({ DATABASE_URL: undefined, NODE_OPTIONS: undefined, ...env });

export const runWaymark = (args: readonly string[], options?: RunOptions): Promise<Ended> =>
  spawnWaymark(args, options).ended;

/**
 * Its status and what the screen shows, when it runs in a terminal where `typed` is typed, as soon
 * as it asks.
 */
export async function runInTerminal(
  args: readonly string[],
  typed: string,
  { env, cwd }: RunOptions,
) {
  const line = [process.execPath, BIN, ...args]
    .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
    .join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    ...(cwd !== undefined && { cwd }),
    env: childVariables({ NODE_OPTIONS: undefined, ...env }),
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    const hadAsked = output.includes('[y/N]');
    output += String(chunk);
    if (!hadAsked && output.includes('[y/N]')) child.stdin.write(typed);
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, output: stripVTControlCharacters(output) };
}

/** What a test has to know of a running local stack. */
export interface RunningStack {
  child: ChildProcess;
  ended: Promise<Ended>;
  /** What it has said so far. */
  output(): string;
}

/** Its services take their settings from the same environment. */
const STACK = { USERS_PORT: '0', BLOCKS_PORT: '0', STUDIO_PORT: '0', ...PATIENCE };

/** `waymark up` in that folder on free ports, once it says that it is ready. */
export const startStack = (
  cwd: string,
  args: readonly string[] = [],
  env: RunOptions['env'] = {},
): Promise<RunningStack> =>
  whenReady(spawnWaymark(['up', ...args], { cwd, env: { ...STACK, ...env } }));

/**
 * What `npm start` runs, by a shell that stays while its command runs, as not every shell does. The
 * folder has to have the workspace's `apps` in it.
 */
export async function startStackByScript(cwd: string): Promise<RunningStack> {
  const { scripts } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return whenReady(
    spawnCommand('sh', ['-c', `${scripts.start} --no-demo\n:`], {
      cwd,
      env: { ...STACK, npm_lifecycle_event: 'start' },
    }),
  );
}

async function whenReady({
  child,
  said,
  ended,
}: ReturnType<typeof spawnCommand>): Promise<RunningStack> {
  let over: Ended | undefined;
  void ended.then((end) => (over = end));
  await until(() => over !== undefined || said.stdout.includes('\nready;'));
  if (over) throw new Error(`the stack ended with ${over.status}: ${over.stderr}${over.stdout}`);
  return { child, ended, output: () => said.stdout };
}
