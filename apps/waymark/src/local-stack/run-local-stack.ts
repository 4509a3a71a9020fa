import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { CommandRefusal } from '../refusal/command-refusal.js';
import type { Session } from '../command-line/session.js';
import { addDemo, DEMO_USER } from './demo.js';
import { describeStack } from './describe-stack.js';
import { ensureKeys } from './ensure-keys.js';
import { findLocalFolder, findLocalStack, type LocalStack, writeLocalStack } from '../config/local-file.js';
import { say } from './log.js';
import { choosePort, refuseWhenRunning } from './ports.js';
import { openStackDatabase } from './stack-database.js';
import { startServiceProcess } from './service-process.js';
import { startStudioProcess, STUDIO_HOST } from './studio-process.js';
import { onStopRequest, type StopRequest } from './stop-request.js';

export interface UpOptions {
  reset?: boolean;
  demo: boolean;
}

/** Something that runs as part of the stack. */
interface Part {
  name: string;
  exited: Promise<unknown>;
  stop(): Promise<unknown>;
}

/**
 * The local stack from start to end: resolves when it was asked to stop (Ctrl-C, SIGTERM, SIGHUP) and nothing of it runs
 * any more. Throws when it cannot start or a part of it ends by itself; then, too, nothing is left running.
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

async function startParts(session: Session, options: UpOptions, parts: Part[], stop: StopRequest): Promise<void> {
  const { settings, environment } = session;
  const folder = findLocalFolder();
  const before = await findLocalStack(folder);
  if (before) await refuseWhenRunning(before);
  const ports = {
    users: await choosePort('USERS_PORT', settings.usersPort, settings.host),
    blocks: await choosePort('BLOCKS_PORT', settings.blocksPort, settings.host),
    studio: await choosePort('STUDIO_PORT', settings.studioPort, STUDIO_HOST),
  };
  if (new Set(Object.values(ports)).size < 3) throw new CommandRefusal('USERS_PORT, BLOCKS_PORT and STUDIO_PORT have to differ');
  // PostgreSQL may run as another user, who has to pass through.
  await mkdir(folder, { recursive: true, mode: 0o711 });
  const database = await openStackDatabase(session, path.join(folder, 'postgres'), options.reset === true);
  if (database.server) parts.push({ name: 'PostgreSQL', exited: database.server.exited, stop: database.server.stop });
  stop.signal.throwIfAborted();
  const keys = await ensureKeys(database.dataSource, environment, before, session.author);
  if (options.demo) await addDemo(database.dataSource, environment);
  await database.dataSource.destroy();
  const common = { host: settings.host, databaseUrl: database.url };
  const users = startServiceProcess('users-api', { ...common, port: ports.users });
  const blocks = startServiceProcess('blocks-api', { ...common, port: ports.blocks });
  const token = randomBytes(32).toString('base64url');
  const studio = startStudioProcess({ databaseUrl: database.url, port: ports.studio, token });
  parts.push(users, blocks, studio);
  await Promise.all([users, blocks, studio].map((part) => part.ready(stop.signal)));
  const urls = { usersUrl: users.url, blocksUrl: blocks.url, databaseUrl: database.url };
  const stack: LocalStack = { ...urls, environment, ...keys };
  await writeLocalStack(folder, stack);
  // Without the prefix of the log, to be pasted.
  process.stdout.write(describeStack(stack, `${studio.url}/#token=${token}`, options.demo ? DEMO_USER : undefined));
}

async function failWhenItEnds({ name, exited }: Part): Promise<never> {
  await exited;
  throw new CommandRefusal(`${name} ended by itself, so the local stack stops; its last lines above say why`);
}
