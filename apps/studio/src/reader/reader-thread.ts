import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Answer, Operation } from './works.js';

const MOST_MEGABYTES = 512;

/** Work that is done one after the other. */
export class Queue {
  /** What is under way or waits. */
  length = 0;
  private last: Promise<unknown> = Promise.resolve();

  add<Result>(work: () => Promise<Result>): Promise<Result> {
    this.length += 1;
    const done = this.last.then(work).finally(() => (this.length -= 1));
    this.last = done.catch(() => undefined);
    return done;
  }
}

/** A thread beside the server, which does one piece of work after the other. */
export class ReaderThread {
  private worker: Worker | undefined;
  private readonly queue = new Queue();

  constructor(
    /** The built reader. */
    private readonly file: string,
  ) {}

  /**
   * Undefined where it took too long, or too much memory: the thread has been ended, and another
   * one takes its place.
   */
  run(operation: Operation, patienceMs: number): Promise<Answer | undefined> {
    return this.queue.add(() => this.ask(operation, patienceMs));
  }

  async end(): Promise<void> {
    await this.worker?.terminate();
  }

  private async ask(operation: Operation, patienceMs: number): Promise<Answer | undefined> {
    const worker = (this.worker ??= this.start());
    worker.postMessage(operation);
    try {
      const [answer] = (await once(worker, 'message', {
        signal: AbortSignal.timeout(patienceMs),
      })) as [Answer];
      return answer;
    } catch {
      this.worker = undefined;
      await worker.terminate();
      return undefined;
    }
  }

  private start(): Worker {
    const worker = new Worker(this.file, {
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
    });
    worker.unref();
    return worker;
  }
}
