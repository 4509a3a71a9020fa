import { attempt, toError, WaymarkError } from '../requests/error.js';
import { MOST_COMMANDS, MOST_FAILURES } from '../requests/limits.js';
import type { CreateLoop } from '../requests/loop.js';
import type { Call } from '../requests/request.js';
import { type Command, type CommandStorage, loadCommands } from './storage.js';

/** A command that is shown before the service has answered it (C4). */
export interface Pending extends Command {
  /** The revision of the answer: the command is under way until the page shows it. */
  revision?: number;
  /** Absent for commands from storage: no caller on this page waits for them. */
  settle?: readonly [resolve: (tookEffect: boolean) => void, reject: (error: WaymarkError) => void];
}

/**
 * Commands in their order, one at a time, each until it is answered (C3). Each is kept under a name
 * of its own, so that tabs never overwrite one another. Storage may be missing, full or forbidden:
 * then they live as long as the page does.
 */
export function createQueue(
  createLoop: CreateLoop,
  call: Call,
  storage: CommandStorage | null | undefined,
  scope: string,
  /** A command came, was answered, or was given up. */
  onChange: (command: Pending) => void,
  /** Reads what another tab has done. */
  read: () => Promise<void>,
  onError: (error: WaymarkError) => void,
) {
  const commands: Pending[] = attempt(() => loadCommands(storage!, scope)) ?? [];
  let latest = 0;
  let failures = 0;

  /** Throws where a later try may succeed. */
  async function send(command: Pending): Promise<void> {
    const { id, path, settle } = command;
    const finish = (revision: string | number | null): void => {
      failures = 0;
      commands.shift();
      attempt(() => storage!.removeItem(scope + id));
      command.revision = +(revision as string);
      onChange(command);
    };
    try {
      if (!settle && !attempt(() => storage!.getItem(scope + id))) {
        await read();
        return finish(-1);
      }
      const { headers } = await call((path.includes('.') ? 'block/' : 'flow/') + path, id);
      finish(headers.get('x-waymark-revision'));
      settle?.[0](headers.get('x-dopt-intent-side-effects') === 'true');
    } catch (failure) {
      const error = toError(failure);
      const { status } = error;
      // The service may accept a fresh token.
      if (status === 401 && !failures++) return;
      const isLater =
        status < 400 ||
        status > 500 ||
        (status === 500 ? ++failures < MOST_FAILURES : [401, 408, 425, 429].includes(status));
      if (isLater) throw error;
      finish(-1);
      (settle?.[1] ?? onError)(error);
    }
  }
  const [run] = createLoop(() => commands[0] && send(commands[0]));

  /** Resolves with whether it took effect; never an unhandled rejection. */
  function add(path: string): Promise<boolean> {
    latest = Math.max(Date.now(), latest + 1);
    const id = [latest, ...crypto.getRandomValues(new Uint32Array(4))].join('-');
    const result = new Promise<boolean>((...settle) => {
      if (commands.length >= MOST_COMMANDS)
        throw new WaymarkError('too many commands wait', { code: 'queue_full' });
      const command = { id, path, settle };
      attempt(() => storage!.setItem(scope + id, path));
      commands.push(command);
      onChange(command);
      run();
    });
    result.catch(onError);
    return result;
  }
  commands.forEach(onChange);
  return [add, run] as const;
}
