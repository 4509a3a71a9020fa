import { LONGEST_KEPT } from '../requests/limits.js';

/** The part of `localStorage` that is used; anything with it will do. */
export interface CommandStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

/**
 * A command as it is kept until the service has answered it: its path, under its idempotency key.
 */
export interface Command {
  /**
   * Idempotency key; it begins with the time in milliseconds, so that names in storage sort by it.
   */
  readonly id: string;
  /**
   * Of the flow, or of the block for a transition:
   * `onboarding.welcome/transition?version=3&transitions=complete`.
   */
  readonly path: string;
}

/**
 * The commands under names that begin with `scope`, oldest first; those of no more use are removed.
 * Storage may hold anything.
 */
export function loadCommands(storage: CommandStorage, scope: string): Command[] {
  const names = Array.from({ length: storage.length }, (_, index) => storage.key(index)!);
  return names
    .filter((name) => name.startsWith(scope))
    .sort()
    .map((name) => ({ id: name.slice(scope.length), path: storage.getItem(name)! }))
    .filter(({ id }) => Date.now() - parseInt(id) < LONGEST_KEPT || storage.removeItem(scope + id));
}
