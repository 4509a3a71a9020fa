import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { OnModuleDestroy } from '@nestjs/common';
import type { FlowDraft, Known } from '@waymark/domain/engine';
import type { ParsedFlowFile } from '@waymark/domain/flow-files';
import { Refusal } from '@waymark/service-kit/errors';
import type { DraftPicture } from './edit-views.js';
import type { Works } from './works.js';

/** Many times what the largest flow takes; texts can be made to take any time. */
const PATIENCE_MS = 10_000;
const MOST_MEGABYTES = 512;

/** Reads and draws texts in a thread beside the server, one after the other, so that nobody else waits for them. */
export class TextReader implements OnModuleDestroy {
  private worker: Worker | undefined;
  private turns: Promise<unknown> = Promise.resolve();

  /** `file` is the built reader. */
  constructor(private readonly file: string) {}

  /** A text that takes too long, or too much memory, gets one problem that says so. */
  async parse(text: string, known?: Known): Promise<ParsedFlowFile> {
    return (await this.ask('parse', [text, known])) ?? { draft: null, problems: [TOO_HARD] };
  }

  /** Refused where the text has an error. */
  async readDraft(text: string): Promise<FlowDraft> {
    const { draft, problems } = await this.parse(text);
    if (!draft) throw new Refusal(400, `the flow has errors: ${problems[0]?.message}`);
    return draft;
  }

  async draw(draft: FlowDraft | null, isAsked: boolean): Promise<DraftPicture> {
    return (await this.ask('draw', [draft, isAsked])) ?? { noPicture: 'tangled' };
  }

  async onModuleDestroy(): Promise<void> {
    await this.worker?.terminate();
  }

  private ask<Work extends keyof Works>(
    work: Work,
    given: Parameters<Works[Work]>,
  ): Promise<ReturnType<Works[Work]> | undefined> {
    const turn = this.turns.then(() => this.run({ work, given }) as Promise<ReturnType<Works[Work]> | undefined>);
    this.turns = turn;
    return turn;
  }

  /** Undefined where the thread had to be ended. */
  private async run(asked: object): Promise<unknown> {
    const worker = (this.worker ??= this.start());
    worker.postMessage(asked);
    try {
      const [answer] = (await once(worker, 'message', { signal: AbortSignal.timeout(PATIENCE_MS) })) as [unknown];
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

const TOO_HARD = {
  file: 'flow.yaml',
  line: 1,
  column: 1,
  severity: 'error',
  code: 'file.too-hard',
  message: 'this text takes too long to read; a part of it repeats marks such as * or [ without end, or it is too large',
} as const;
