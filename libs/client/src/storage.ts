import { attempt } from './error.js';
import type { Query } from './request.js';

/** What of `localStorage` is used; anything like it will do. */
export interface CommandStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

/** A command as it is kept until the service has answered it. */
export interface Command {
  /** Its idempotency key. */
  readonly id: string;
  readonly at: number;
  /** Of the flow, or of the block for a transition. */
  readonly sid: string;
  readonly version: string;
  /** `transition`, `start`, `reset`, `stop` or `finish`. */
  readonly verb: string;
  /** Beside user and version. */
  readonly query: Query;
}

/** A page that was away for longer has another user in front of it, or the same one with other plans. */
const LONGEST_KEPT_MS = 24 * 60 * 60 * 1000;

/** What is kept under names with this beginning, oldest first; what is of no use is removed. Storage may hold anything. */
export function loadCommands(storage: CommandStorage, scope: string): Command[] {
  const names = Array.from({ length: storage.length }, (_, index) => storage.key(index)!);
  const commands = names
    .filter((name) => name.startsWith(scope))
    .flatMap((name) => {
      const command = attempt(() => readOne(JSON.parse(storage.getItem(name)!) as Command));
      if (command) return [{ ...command, id: name.slice(scope.length) }];
      storage.removeItem(name);
      return [];
    });
  return commands.sort((one, other) => one.at - other.at);
}

/** Throws, or gives nothing, for what cannot be sent. */
function readOne(command: Command): Command | undefined {
  const { at, sid, query } = command;
  const pairs = Array.isArray(query) && new URLSearchParams(query as unknown as [string, string][]);
  return pairs && typeof sid === 'string' && Date.now() - at < LONGEST_KEPT_MS ? command : undefined;
}
