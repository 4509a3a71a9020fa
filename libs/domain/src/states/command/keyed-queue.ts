/**
 * Lets work on one key run one after the other, in the order of arrival; work on different keys
 * runs at the same time.
 */
export class KeyedQueue {
  /** Of each key that is in use: those that wait for it. */
  private readonly waiting = new Map<string, (() => void)[]>();

  isFree(key: string): boolean {
    return !this.waiting.has(key);
  }

  /** Rejects as the work does, after which the next one has its turn. */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const line = this.waiting.get(key);
    if (line) await new Promise<void>((resolve) => line.push(resolve));
    else this.waiting.set(key, []);
    try {
      return await work();
    } finally {
      const next = this.waiting.get(key)!.shift();
      if (next) next();
      else this.waiting.delete(key);
    }
  }
}
