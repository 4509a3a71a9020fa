import { attempt, toError, WaymarkError } from './error.js';
import { createPause } from './pause.js';
import type { Call, Query } from './request.js';
import { type Command, type CommandStorage, loadCommands } from './storage.js';

/** A command that is shown before the service has told of it (C4). */
export interface Pending extends Command {
  /** Revision of the answer: until a page shows that one, the command is under way. */
  reached?: number;
}

interface Entry {
  readonly command: Pending;
  /** Nobody here waits for what storage held. */
  readonly settle?: readonly [resolve: (tookEffect: boolean) => void, reject: (error: WaymarkError) => void];
  failures: number;
}

const MOST_COMMANDS = 200;
const MOST_FAILURES = 5;
/** Of HTTP: what may go better later; 0 where no answer came. */
const LATER = [0, 401, 408, 425, 429];

/**
 * Commands in their order, one at a time, each until it is answered (C3). Each is kept under a name of its own, so that
 * tabs never overwrite one another. Storage may be missing, full or forbidden: then they live as long as the page does.
 */
export function createQueue(
  call: Call,
  storage: CommandStorage | null | undefined,
  scope: string,
  /** A command came, was answered, or was given up. */
  onChange: (command: Pending) => void,
  /** Reads what another tab has done. */
  read: () => Promise<void>,
  onError: (error: WaymarkError) => void,
) {
  const [wait, reset, wake] = createPause();
  const loaded = attempt(() => loadCommands(storage!, scope)) ?? [];
  const entries: Entry[] = loaded.slice(0, MOST_COMMANDS).map((command) => ({ command, failures: 0 }));
  let latest = loaded.at(-1)?.at ?? 0;
  let isRunning = false;
  let isClosed = false;

  async function send({ id, sid, version, verb, query }: Command): Promise<Response> {
    // Encodes anything, halves of emoji too.
    const name = new URLSearchParams([[sid, '']]);
    const kind = verb === 'transition' ? 'block' : 'flow';
    const answer = await call(`${kind}/${`${name}`.slice(0, -1)}/${verb}`, [['version', version], ...query], id);
    if (answer.status === 204) return answer;
    throw new Error('something between here and the service answered in its place');
  }

  function leave({ command }: Entry, reached: number): void {
    entries.shift();
    attempt(() => storage!.removeItem(scope + command.id));
    reset();
    command.reached = reached;
    onChange(command);
  }

  /** Waits where it may go better later. */
  async function tryOne(entry: Entry): Promise<void> {
    const { command, settle } = entry;
    try {
      const { headers } = await send(command);
      leave(entry, Number(headers.get('x-waymark-revision')));
      settle?.[0](headers.get('x-dopt-intent-side-effects') === 'true');
    } catch (failure) {
      const error = toError(failure);
      const { status } = error;
      const isLater = LATER.includes(status) || status > 500 || (status === 500 && ++entry.failures < MOST_FAILURES);
      if (!isLater) {
        leave(entry, -1);
        settle?.[1](error);
      }
      // A fresh token may do.
      if (status === 401 && !entry.failures++) return;
      if (!isLater || status === 401) onError(error);
      if (isLater) await wait(error.retryAfter);
    }
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (let entry = entries[0]; entry && !isClosed; entry = entries[0]) {
      const name = scope + entry.command.id;
      const isAnswered = !entry.settle && !attempt(() => storage!.getItem(name));
      if (isAnswered) await read();
      if (isAnswered) leave(entry, -1);
      else await tryOne(entry);
    }
    isRunning = false;
  }

  /** Resolves with whether it took effect; never an unhandled rejection. */
  function add(sid: string, version: string, verb: string, query: Query): Promise<boolean> {
    const id = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
    latest = Math.max(Date.now(), latest + 1);
    const command: Pending = { id, at: latest, sid, version, verb, query };
    const result = new Promise<boolean>((...settle) => {
      if (entries.length < MOST_COMMANDS) {
        attempt(() => storage!.setItem(scope + id, JSON.stringify(command)));
        entries.push({ command, settle, failures: 0 });
        onChange(command);
        void run();
      } else {
        const error = new WaymarkError('queue_full', `${MOST_COMMANDS} commands wait already`);
        settle[1](error);
        onError(error);
      }
    });
    result.catch(() => {});
    return result;
  }

  const close = (): void => {
    isClosed = true;
    wake();
  };
  return [add, run, wake, close, loaded] as const;
}
