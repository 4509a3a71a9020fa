import { LONGEST_KEPT } from '../requests/limits.js';

/** What of `localStorage` is used; anything like it will do. */
export interface CommandStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

/** A command as it is kept until the service has answered it: its path, under its idempotency key. */
export interface Command {
  /** Idempotency key; it begins with the time in milliseconds, so that names in storage sort by it. */
  readonly id: string;
  /** Of the flow, or of the block for a transition: `onboarding.welcome/transition?version=3&transitions=complete`. */
  readonly path: string;
}

/** What is kept under names with this beginning, oldest first; what is of no use is removed. Storage may hold anything. */
export function loadCommands(storage: CommandStorage, scope: string): Command[] {
  const names = Array.from({ length: storage.length }, (_, index) => storage.key(index)!);
  return names
    .filter((name) => name.startsWith(scope))
    .sort()
    .map((name) => ({ id: name.slice(scope.length), path: storage.getItem(name)! }))
    .filter(({ id }) => Date.now() - parseInt(id) < LONGEST_KEPT || storage.removeItem(scope + id));
}
