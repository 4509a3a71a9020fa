import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Queue } from './queue.js';
import type { Answer, Asked } from './works.js';

const MOST_MEGABYTES = 512;

/** A thread beside the server, which does one piece of work after the other. */
export class ReaderThread {
  private worker: Worker | undefined;
  private readonly queue = new Queue();

  constructor(
    /** The built reader. */
    private readonly file: string,
  ) {}

  /** Undefined where it took too long, or too much memory: the thread has been ended, and another one takes its place. */
  run(asked: Asked, patienceMs: number): Promise<Answer | undefined> {
    return this.queue.add(() => this.ask(asked, patienceMs));
  }

  async end(): Promise<void> {
    await this.worker?.terminate();
  }

  private async ask(asked: Asked, patienceMs: number): Promise<Answer | undefined> {
    const worker = (this.worker ??= this.start());
    worker.postMessage(asked);
    try {
      const [answer] = (await once(worker, 'message', { signal: AbortSignal.timeout(patienceMs) })) as [Answer];
      return answer;
    } catch {
      this.worker = undefined;
      await worker.terminate();
      return undefined;
    }
  }

  private start(): Worker {
    const worker = new Worker(this.file, { resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES } });
    worker.unref();
    return worker;
  }
}
