import type { OnModuleDestroy } from '@nestjs/common';
import type { Context, FlowDefinition, FlowDraft, Known } from '@waymark/domain/engine';
import { DomainError } from '@waymark/domain/database/errors';
import type { AttentionGroups, ParsedFile, ParsedFlowFile } from '@waymark/domain/flow-files';
import type { SegmentTexts } from '@waymark/domain/targeting';
import { Refusal } from '@waymark/service-kit/http';
import type { PictureOptions } from '@waymark/picture';
import type { RequestTurn } from '../access/request-turn.js';
import type { PictureResult } from './picture-result.js';
import { Queue, ReaderThread } from './reader-thread.js';
import type { ShownBlocks } from './show.js';
import type { Walked } from './walk.js';
import type { Operation, Works } from './works.js';

/**
 * Many times what the largest flow takes to read; texts can be made to take any time. Pictures
 * cannot: tangles are refused before they are begun, and others get as long as a busy processor
 * needs.
 */
const PATIENCE_MS = {
  quick: 2_000,
  parse: 10_000,
  parseSegments: 10_000,
  parseAttention: 10_000,
  walk: 10_000,
  show: 10_000,
  matching: 10_000,
  draw: 60_000,
  drawDraft: 60_000,
};
/** Blocks of flows whose pictures take longer than a pause in typing. */
export const MANY_BLOCKS = 200;
/**
 * Of one session. A page requests one thing after the other, and each may come with half a megabyte
 * of text.
 */
const MOST_WAITING = 50;

/**
 * Reads and draws in threads beside the server. Texts begin in the quick one, and pictures in one
 * of their own, since a text is read in a fraction of the time that its picture takes; what takes
 * longer than honest ones do is begun again in the slow one. A session has one text and one picture
 * under way, so that a session with much work waits for itself, and takes a small part of the time
 * of the first two threads at most, however many they are.
 */
export class Reader implements OnModuleDestroy {
  private readonly quick: ReaderThread;
  private readonly pictures: ReaderThread;
  private readonly slow: ReaderThread;
  private readonly queues = new Map<string, Queue>();

  /** `file` is the built reader. */
  constructor(file: string) {
    this.quick = new ReaderThread(file);
    this.pictures = new ReaderThread(file);
    this.slow = new ReaderThread(file);
  }

  /** A text that takes too long, or too much memory, gets one problem that says so. */
  async parse(turn: RequestTurn, text: string, known?: Known): Promise<ParsedFlowFile> {
    return (await this.ask(turn, 'parse', [text, known])) ?? { draft: null, problems: [TOO_HARD] };
  }

  /** As `parse`, of the file of segments. */
  async parseSegments(turn: RequestTurn, text: string): Promise<ParsedFile<SegmentTexts>> {
    return (await this.ask(turn, 'parseSegments', [text])) ?? tooHard('segments.yaml');
  }

  /** As `parse`, of the file of attention groups. */
  async parseAttention(turn: RequestTurn, text: string): Promise<ParsedFile<AttentionGroups>> {
    return (await this.ask(turn, 'parseAttention', [text])) ?? tooHard('attention.yaml');
  }

  /** Refused where the text has an error. */
  async readDraft(turn: RequestTurn, text: string, known?: Known): Promise<FlowDraft> {
    const { draft, problems } = await this.parse(turn, text, known);
    if (!draft) throw new Refusal(400, `the flow has errors: ${problems[0]?.message}`);
    return draft;
  }

  /** Refused where it takes too long, as patterns can be made to. */
  async walk(turn: RequestTurn, ...given: Parameters<Works['walk']>): Promise<Walked> {
    return required(await this.ask(turn, 'walk', given), 'walking through this flow');
  }

  /** A block as users see it. Refused as `walk` is. */
  async show(turn: RequestTurn, ...given: Parameters<Works['show']>): Promise<ShownBlocks> {
    return required(await this.ask(turn, 'show', given), 'showing this block');
  }

  /** For which of these users a condition holds. Refused as `walk` is. */
  async matching(
    turn: RequestTurn,
    when: string,
    contexts: readonly Context[],
  ): Promise<boolean[]> {
    return required(await this.ask(turn, 'matching', [when, contexts]), 'this condition');
  }

  async drawDraft(
    turn: RequestTurn,
    draft: FlowDraft,
    had?: string,
    folded?: readonly string[],
  ): Promise<Partial<PictureResult>> {
    return untangled(this.ask(turn, 'drawDraft', [draft, had, folded], draft.blocks.length));
  }

  /** The picture of a version. Throws `picture.tangled`. */
  async draw(
    turn: RequestTurn,
    definition: FlowDefinition,
    options?: PictureOptions,
    had?: string,
  ): Promise<PictureResult> {
    const drawn = await this.ask(
      turn,
      'draw',
      [definition, options, had],
      definition.blocks.length,
    );
    if (drawn) return drawn;
    throw new DomainError(
      'picture.tangled',
      `the picture of ${definition.flow} takes too long to draw`,
    );
  }

  /** Nothing where it would be a tangle. */
  drawUntangled(...given: Parameters<Reader['draw']>): Promise<Partial<PictureResult>> {
    return untangled(this.draw(...given));
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.quick.end(), this.pictures.end(), this.slow.end()]);
  }

  /** Undefined if it takes too long or is no longer waited for. */
  private async ask<Work extends keyof Works>(
    { session, signal }: RequestTurn,
    work: Work,
    given: Parameters<Works[Work]>,
    blocks = 0,
  ): Promise<ReturnType<Works[Work]> | undefined> {
    const waiting = `${isPicture(work) ? 'pictures' : 'texts'} of ${session}`;
    const queue = this.queues.get(waiting) ?? new Queue();
    if (queue.length >= MOST_WAITING)
      throw new Refusal(429, 'you have asked for too much at once; wait until it is answered');
    this.queues.set(waiting, queue);
    try {
      return (await queue.add(() =>
        this.run({ work, given }, blocks > MANY_BLOCKS, signal),
      )) as ReturnType<Works[Work]>;
    } finally {
      if (queue.length === 0) this.queues.delete(waiting);
    }
  }

  private async run(operation: Operation, isLarge: boolean, signal: AbortSignal): Promise<unknown> {
    if (signal.aborted) return undefined;
    const thread = isPicture(operation.work) ? this.pictures : this.quick;
    const soon = isLarge ? undefined : await thread.run(operation, PATIENCE_MS.quick);
    const answer = soon ?? (await this.slow.run(operation, PATIENCE_MS[operation.work]));
    if (answer && 'refused' in answer)
      throw new DomainError(answer.refused.code, answer.refused.message);
    return answer?.result;
  }
}

function isPicture(work: keyof Works): boolean {
  return work === 'draw' || work === 'drawDraft';
}

function required<Result>(result: Result | undefined, what: string): Result {
  if (result === undefined) throw new Refusal(400, `${what} takes too long`);
  return result;
}

async function untangled(
  drawn: Promise<PictureResult | undefined>,
): Promise<Partial<PictureResult>> {
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
  message:
    'this text takes too long to read; a part of it repeats marks such as * or [ without end, or it is too large',
} as const;

const tooHard = (file: string) => ({ content: null, problems: [{ ...TOO_HARD, file }] });
