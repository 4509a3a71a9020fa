import type { CommandStorage } from '../src/index.js';

/** What a browser keeps for an origin; several pages may share it. */
export class MemoryStorage implements CommandStorage {
  readonly items = new Map<string, string>();

  get length(): number {
    return this.items.size;
  }

  key(index: number): string | null {
    return [...this.items.keys()][index] ?? null;
  }

  getItem(name: string): string | null {
    return this.items.get(name) ?? null;
  }

  setItem(name: string, value: string): void {
    this.items.set(name, value);
  }

  removeItem(name: string): void {
    this.items.delete(name);
  }
}
