import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

export interface BackgroundWorkerSettings {
  /** How often the database is polled while the worker is not woken. */
  readonly pollMs: number;
  /**
   * Called when the database fails the worker itself: at most once a poll, and once for each work
   * in hand.
   */
  readonly onTrouble?: (error: unknown) => void;
}

/** Time before each look for work, in which more may come. */
const GATHER_MS = 10;

/**
 * Works beside the requests of a process: it claims work, again and again, and does several pieces
 * at once.
 */
export abstract class BackgroundWorker {
  /** Nothing more is begun. */
  protected readonly closing = new AbortController();
  /** What is under way is given up. */
  protected readonly lettingGo = new AbortController();
  /** The work in hand, with what it counts for. */
  private readonly running = new Map<Promise<void>, string>();
  private working: Promise<void> | undefined;
  private isWanted = false;
  private interrupt: () => void = () => undefined;

  constructor(private readonly options: BackgroundWorkerSettings) {
    // Every request that is under way listens to it.
    setMaxListeners(0, this.lettingGo.signal);
  }

  /** Claims what is due and begins it. */
  protected abstract claim(): Promise<void>;

  start(): void {
    this.working ??= this.work();
  }

  /** Looks soon, since there is something to do. */
  wake(): void {
    this.isWanted = true;
    this.interrupt();
  }

  /**
   * Begins nothing more, waits at most `graceMs` for what runs, then gives it up: another worker
   * takes it over.
   */
  async stop(graceMs = 4_000): Promise<void> {
    this.closing.abort();
    this.interrupt();
    const timer = setTimeout(() => this.lettingGo.abort(), graceMs).unref();
    await this.working;
    await Promise.all(this.running.keys());
    clearTimeout(timer);
  }

  /**
   * Counts as running under that name until the work ends; `onEnd` is called then, whether it
   * failed or not.
   */
  protected begin(name: string, work: Promise<void>, onEnd: () => void = () => undefined): void {
    const ended: Promise<void> = work
      .catch((error: unknown) => this.options.onTrouble?.(error))
      .finally(() => {
        this.running.delete(ended);
        onEnd();
      });
    this.running.set(ended, name);
  }

  /** How much is in hand, by name. */
  protected countRunning(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const name of this.running.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts;
  }

  private async work(): Promise<void> {
    while (!this.closing.signal.aborted) {
      try {
        this.isWanted = false;
        await this.claim();
        if (!this.isWanted) await this.rest();
      } catch (error) {
        this.options.onTrouble?.(error);
        await this.sleep(this.options.pollMs);
      }
      await this.sleep(GATHER_MS);
    }
  }

  private rest(): Promise<void> {
    if (this.closing.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.options.pollMs).unref();
      this.interrupt = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Nothing but the end wakes it sooner. */
  private async sleep(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.closing.signal }).catch(() => undefined);
  }
}
