import { LONGEST_KEPT } from './limits.js';

/** What of `localStorage` is used; anything like it will do. */
export interface CommandStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

/** A command as it is kept until the service has answered it: under its idempotency key, as a text, "when path". */
export interface Command {
  readonly id: string;
  /** Of the flow, or of the block for a transition: `onboarding.welcome/transition?version=3&transitions=complete`. */
  readonly path: string;
}

/** What is kept under names with this beginning, oldest first; what is of no use is removed. Storage may hold anything. */
export function loadCommands(storage: CommandStorage, scope: string): Command[] {
  const names = Array.from({ length: storage.length }, (_, index) => storage.key(index)!);
  return names
    .filter((name) => name.startsWith(scope))
    .map((name) => {
      const [at, path = ''] = storage.getItem(name)!.split(' ');
      return { id: name.slice(scope.length), at: at as never as number, path };
    })
    .filter(({ id, at }) => Date.now() - at < LONGEST_KEPT || storage.removeItem(scope + id))
    .sort((one, other) => one.at - other.at);
}
