import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { DataSource } from 'typeorm';
import { CommandRefusal } from '../refusal/command-refusal.js';
import type { Session } from '../command-line/session.js';
import { addDemo, DEMO_USER } from './demo.js';
import { openDemoReceiver } from './demo-receiver.js';
import { describeStack } from './describe-stack.js';
import { ensureKeys } from './ensure-keys.js';
import {
  findLocalFolder,
  findLocalStack,
  type LocalStack,
  writeLocalStack,
} from '../config/local-file.js';
import { say } from './log.js';
import { choosePort, refuseWhenRunning } from './ports.js';
import { openStackDatabase } from './stack-database.js';
import { startServiceProcess, type ServiceProcess } from './service-process.js';

interface UpOptions {
  reset?: boolean;
  demo: boolean;
}

/** Something that runs as part of the stack. */
interface Part {
  name: string;
  exited: Promise<unknown>;
  stop(): Promise<unknown>;
}

/** The stack was asked to stop. */
interface StopRequest {
  signal: AbortSignal;
  requested: Promise<void>;
}

const PARENT_POLL_MS = 200;

/**
 * The local stack from start to end: resolves when it was asked to stop (Ctrl-C, SIGTERM, SIGHUP)
 * and nothing of it runs any more. Throws when it cannot start or a part of it ends by itself;
 * then, too, nothing is left running.
 */
export async function runLocalStack(session: Session, options: UpOptions): Promise<void> {
  const stop = onStopRequest(session.settings.startedByNpm);
  const parts: Part[] = [];
  try {
    await startParts(session, options, parts, stop);
    await Promise.race([stop.requested, ...parts.map(failWhenItEnds)]);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    if (parts.length > 0) say('waymark', 'stopping');
    for (const part of parts.reverse()) await part.stop();
  }
}

/**
 * A stop by signal, or by the end of the shell that npm runs a script with: SIGTERM reaches that
 * shell alone, which ends without a word. A second signal changes nothing: npm passes on the Ctrl-C
 * that the terminal has sent already.
 */
function onStopRequest(startedByNpm: boolean): StopRequest {
  const controller = new AbortController();
  const requested = new Promise<void>((resolve) => {
    const stop = (): void => {
      controller.abort();
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
    if (startedByNpm) onParentEnd(stop);
  });
  return { signal: controller.signal, requested };
}

function onParentEnd(stop: () => void): void {
  const { ppid } = process;
  const poll = setInterval(() => {
    if (process.ppid === ppid) return;
    clearInterval(poll);
    stop();
  }, PARENT_POLL_MS).unref();
}

/**
 * Loopback whatever HOST the services listen on, since the address alone gives access to the
 * studio.
 */
const STUDIO_HOST = '127.0.0.1';

async function startParts(
  session: Session,
  options: UpOptions,
  parts: Part[],
  stop: StopRequest,
): Promise<void> {
  const { settings, environment } = session;
  const folder = findLocalFolder();
  const before = await findLocalStack(folder);
  if (before) await refuseWhenRunning(before);
  const ports = await choosePorts(settings);
  // PostgreSQL may run as another user, who has to pass through.
  await mkdir(folder, { recursive: true, mode: 0o711 });
  const database = await openStackDatabase(
    session,
    path.join(folder, 'postgres'),
    options.reset === true,
  );
  if (database.server)
    parts.push({ name: 'PostgreSQL', exited: database.server.exited, stop: database.server.stop });
  stop.signal.throwIfAborted();
  const keys = await ensureKeys(database.dataSource, environment, before, session.author);
  if (options.demo) await startDemo(database.dataSource, environment, parts);
  await database.dataSource.destroy();
  const token = randomBytes(32).toString('base64url');
  const processes = startProcesses(settings.host, database.url, ports, token, keys.blocksApiKey);
  const { users, blocks, studio } = processes;
  parts.push(users, blocks, studio);
  await Promise.all([users, blocks, studio].map((part) => part.ready(stop.signal)));
  const urls = { usersUrl: users.url, blocksUrl: blocks.url, databaseUrl: database.url };
  const stack: LocalStack = { ...urls, environment, ...keys };
  await writeLocalStack(folder, stack);
  // Without the prefix of the log, to be pasted.
  process.stdout.write(
    describeStack(stack, `${studio.url}/#token=${token}`, options.demo ? DEMO_USER : undefined),
  );
}

type Ports = Readonly<Record<'users' | 'blocks' | 'studio', number>>;

async function choosePorts({
  host,
  usersPort,
  blocksPort,
  studioPort,
}: Session['settings']): Promise<Ports> {
  const ports = {
    users: await choosePort('USERS_PORT', usersPort, host),
    blocks: await choosePort('BLOCKS_PORT', blocksPort, host),
    studio: await choosePort('STUDIO_PORT', studioPort, STUDIO_HOST),
  };
  if (new Set(Object.values(ports)).size < 3)
    throw new CommandRefusal('USERS_PORT, BLOCKS_PORT and STUDIO_PORT have to differ');
  return ports;
}

/** The demo flow, and what receives its webhooks. */
async function startDemo(
  dataSource: DataSource,
  environment: string,
  parts: Part[],
): Promise<void> {
  const receiver = await openDemoReceiver();
  parts.push({ name: 'the receiver of the demo', ...receiver });
  await addDemo(dataSource, environment, receiver.url);
}

function startProcesses(
  host: string,
  databaseUrl: string,
  ports: Ports,
  token: string,
  blocksApiKey: string,
): Record<keyof Ports, ServiceProcess> {
  const users = startServiceProcess('users-api', { host, databaseUrl, port: ports.users });
  const blocks = startServiceProcess('blocks-api', { host, databaseUrl, port: ports.blocks });
  const blocksUrl = blocks.url;
  const studio = startStudioProcess({
    databaseUrl,
    port: ports.studio,
    token,
    blocksUrl,
    blocksApiKey,
  });
  return { users, blocks, studio };
}

/** The studio as a part of the local stack; its token is printed with the rest. */
function startStudioProcess({
  token,
  blocksUrl,
  blocksApiKey,
  ...rest
}: {
  databaseUrl: string;
  port: number;
  token: string;
  blocksUrl: string;
  blocksApiKey: string;
}): ServiceProcess {
  const access = { STUDIO_ACCESS: 'token', STUDIO_URL: '', STUDIO_TOKEN: token };
  const more = { ...access, STUDIO_SAMPLE_URL: blocksUrl, STUDIO_SAMPLE_KEY: blocksApiKey };
  return startServiceProcess('studio', { ...rest, host: STUDIO_HOST, more, readyPath: '/' });
}

async function failWhenItEnds({ name, exited }: Part): Promise<never> {
  await exited;
  throw new CommandRefusal(
    `${name} ended by itself, so the local stack stops; its last lines above say why`,
  );
}
