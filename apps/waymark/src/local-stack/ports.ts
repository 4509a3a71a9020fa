import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { CommandRefusal } from '../refusal/command-refusal.js';
import type { LocalStack } from '../config/local-file.js';

const ANSWER_TIMEOUT_MS = 2_000;

/**
 * A port that is free now, the wanted one unless that is 0. Throws a `CommandRefusal` that names
 * the variable to change.
 */
export async function choosePort(variable: string, port: number, host: string): Promise<number> {
  const probe = createServer();
  try {
    await once(probe.listen(port, host), 'listening');
  } catch (error) {
    throw new CommandRefusal(reasonOf(error as NodeJS.ErrnoException, variable, port), {
      cause: error,
    });
  }
  const { port: found } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return found;
}

function reasonOf(
  { code, message }: NodeJS.ErrnoException,
  variable: string,
  port: number,
): string {
  if (code === 'EADDRINUSE')
    return `port ${port} is in use by another program; set ${variable} to another one, 0 is any free port`;
  if (code === 'EACCES')
    return `port ${port} may not be used by this user; set ${variable} to another one, 0 is any free port`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `HOST is not an address of this machine (${code})`;
  return message;
}

/** Throws a `CommandRefusal` when the stack that wrote the file still answers. */
export async function refuseWhenRunning({ usersUrl, blocksUrl }: LocalStack): Promise<void> {
  const running = await Promise.all([
    answers(usersUrl, 'users-api'),
    answers(blocksUrl, 'blocks-api'),
  ]);
  if (!running.includes(true)) return;
  throw new CommandRefusal(
    `the local stack runs already (${usersUrl}, ${blocksUrl}) and was left as it is; stop it before you start it again`,
  );
}

async function answers(url: string, application: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    return ((await answer.json()) as { application?: unknown }).application === application;
  } catch {
    return false;
  }
}
