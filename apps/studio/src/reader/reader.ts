import type { OnModuleDestroy } from '@nestjs/common';
import type { FlowDefinition, FlowDraft, Known } from '@waymark/domain/engine';
import { DomainError } from '@waymark/domain/errors';
import type { ParsedFlowFile } from '@waymark/domain/flow-files';
import { Refusal } from '@waymark/service-kit/errors';
import type { PictureOptions } from '@waymark/flow-picture';
import type { Asker } from '../access/asker.js';
import type { Drawn } from './drawn.js';
import { Queue } from './queue.js';
import { ReaderThread } from './reader-thread.js';
import type { Asked, Works } from './works.js';

/**
 * Many times what the largest flow takes to read; texts can be made to take any time. Pictures cannot: tangles are refused
 * before they are begun, and others get as long as a busy processor needs.
 */
const PATIENCE_MS = { quick: 2_000, parse: 10_000, draw: 60_000, drawDraft: 60_000 };
/** Blocks of flows whose pictures take longer than a pause in typing. */
export const MANY_BLOCKS = 200;
/** Of one session. A page asks for one thing after the other, and each may come with half a megabyte of text. */
const MOST_WAITING = 50;

/**
 * Reads and draws in threads beside the server. All begin in the quick one; what takes longer than honest texts do is begun
 * again in the slow one. A session has one piece of work under way, so that whoever asks for much waits for themselves, and
 * takes a small part of the time of the quick thread at most, however many they are.
 */
export class Reader implements OnModuleDestroy {
  private readonly quick: ReaderThread;
  private readonly slow: ReaderThread;
  private readonly queues = new Map<string, Queue>();

  /** `file` is the built reader. */
  constructor(file: string) {
    this.quick = new ReaderThread(file);
    this.slow = new ReaderThread(file);
  }

  /** A text that takes too long, or too much memory, gets one problem that says so. */
  async parse(asker: Asker, text: string, known?: Known): Promise<ParsedFlowFile> {
    return (await this.ask(asker, 'parse', [text, known])) ?? { draft: null, problems: [TOO_HARD] };
  }

  /** Refused where the text has an error. */
  async readDraft(asker: Asker, text: string): Promise<FlowDraft> {
    const { draft, problems } = await this.parse(asker, text);
    if (!draft) throw new Refusal(400, `the flow has errors: ${problems[0]?.message}`);
    return draft;
  }

  async drawDraft(asker: Asker, draft: FlowDraft, had?: string): Promise<Partial<Drawn>> {
    return untangled(this.ask(asker, 'drawDraft', [draft, had], draft.blocks.length));
  }

  /** The picture of a version. Throws `picture.tangled`. */
  async draw(asker: Asker, definition: FlowDefinition, options?: PictureOptions, had?: string): Promise<Drawn> {
    const drawn = await this.ask(asker, 'draw', [definition, options, had], definition.blocks.length);
    if (drawn) return drawn;
    throw new DomainError('picture.tangled', `the picture of ${definition.flow} takes too long to draw`);
  }

  /** Nothing where it would be a tangle. */
  drawUntangled(...given: Parameters<Reader['draw']>): Promise<Partial<Drawn>> {
    return untangled(this.draw(...given));
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.quick.end(), this.slow.end()]);
  }

  /** Undefined where it takes too long, or nobody waits for it any more. */
  private async ask<Work extends keyof Works>(
    { session, signal }: Asker,
    work: Work,
    given: Parameters<Works[Work]>,
    blocks = 0,
  ): Promise<ReturnType<Works[Work]> | undefined> {
    const queue = this.queues.get(session) ?? new Queue();
    if (queue.length >= MOST_WAITING) throw new Refusal(429, 'you have asked for too much at once; wait until it is answered');
    this.queues.set(session, queue);
    try {
      return (await queue.add(() => this.run({ work, given }, blocks > MANY_BLOCKS, signal))) as ReturnType<Works[Work]>;
    } finally {
      if (queue.length === 0) this.queues.delete(session);
    }
  }

  private async run(asked: Asked, isLarge: boolean, signal: AbortSignal): Promise<unknown> {
    if (signal.aborted) return undefined;
    const soon = isLarge ? undefined : await this.quick.run(asked, PATIENCE_MS.quick);
    const answer = soon ?? (await this.slow.run(asked, PATIENCE_MS[asked.work]));
    if (answer && 'refused' in answer) throw new DomainError(answer.refused.code, answer.refused.message);
    return answer?.result;
  }
}

async function untangled(drawn: Promise<Drawn | undefined>): Promise<Partial<Drawn>> {
  try {
    return (await drawn) ?? {};
  } catch (error) {
    if (error instanceof DomainError && error.code === 'picture.tangled') return {};
    throw error;
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
