import { createHash } from 'node:crypto';
import { DomainError, type ErrorCode } from '@waymark/domain/database/errors';
import { readCondition } from '@waymark/domain/states';
import { type Context, evaluateCondition, type SegmentTexts } from '@waymark/domain/targeting';
import type { FlowDefinition, FlowDraft, Known } from '@waymark/domain/engine';
import { drawFlow, pictureKey, type PictureOptions } from '@waymark/picture';
import {
  type AttentionGroups,
  type FileProblem,
  parseAttentionFile,
  type ParsedFile,
  type ParsedFlowFile,
  parseFlowFile,
  parseSegmentsFile,
} from '@waymark/domain/flow-files';
import { show } from './show.js';
import { walk } from './walk.js';
import type { PictureResult } from './picture-result.js';

/** For each of these users, whether a condition holds. */
function matching(when: string, contexts: readonly Context[]): boolean[] {
  const condition = readCondition(when);
  return contexts.map((context) => evaluateCondition(condition, context));
}

/** More than a person reads. */
const MOST = { problems: 500, letters: 1_000 };

/** Work whose time depends on the text that a person wrote. */
const WORKS = { parse, parseSegments, parseAttention, draw, drawDraft, walk, show, matching };

function parseSegments(text: string): ParsedFile<SegmentTexts> {
  return inFewWords(parseSegmentsFile(text, { file: 'segments.yaml' }));
}

function parseAttention(text: string): ParsedFile<AttentionGroups> {
  return inFewWords(parseAttentionFile(text, { file: 'attention.yaml' }));
}

const inFewWords = <Parsed extends { problems: readonly FileProblem[] }>(
  parsed: Parsed,
): Parsed => ({
  ...parsed,
  problems: shorten([...parsed.problems]).map(cut),
});

/** A text that is being edited, which is in no file. */
function parse(text: string, known: Known | undefined): ParsedFlowFile {
  const { draft, problems } = parseFlowFile(text, { file: 'flow.yaml', ...(known && { known }) });
  return inFewWords({ draft, problems });
}

/** The first problems, errors where there are any, and last how many more there are. */
function shorten(problems: FileProblem[]): FileProblem[] {
  if (problems.length <= MOST.problems) return problems;
  const errors = problems.filter(({ severity }) => severity === 'error');
  const shown = (errors.length > 0 ? errors : problems).slice(0, MOST.problems);
  const more = (problems.length - shown.length).toLocaleString('en-US');
  return [
    ...shown,
    { ...shown.at(-1)!, code: 'file.more-problems', message: `and ${more} more problems` },
  ];
}

/** Messages quote what was written. */
function cut(problem: FileProblem): FileProblem {
  const { message } = problem;
  return message.length > MOST.letters
    ? { ...problem, message: `${message.slice(0, MOST.letters)}…` }
    : problem;
}

/**
 * The picture of a draft or of a version, for a page that may have a picture with the mark `had`
 * already. Throws `picture.tangled`.
 */
function draw(
  definition: FlowDefinition,
  options: PictureOptions = {},
  had?: string,
): PictureResult {
  const bare = { ...options, isBare: true };
  const mark = createHash('sha256').update(pictureKey(definition, bare)).digest('base64url');
  return mark === had ? { mark } : { mark, svg: drawFlow(definition, 'svg', bare) };
}

/** Of a draft, which has no uids yet: a picture tells blocks apart by their identifiers. */
function drawDraft(
  { blocks, ...flow }: FlowDraft,
  had?: string,
  folded?: readonly string[],
): PictureResult {
  const named = blocks.map((block) => ({
    ...block,
    uid: block.id,
    ...('items' in block && { items: block.items.map((item) => ({ ...item, uid: item.id })) }),
  }));
  return draw({ ...flow, blocks: named } as FlowDefinition, { ...(folded && { folded }) }, had);
}

export type Works = typeof WORKS;

/** One piece of work with its arguments. */
export interface Operation {
  work: keyof Works;
  given: Parameters<Works[keyof Works]>;
}

/** The result, or why it was refused. */
export type Answer = { result: unknown } | { refused: { code: ErrorCode; message: string } };

/** Everything that passes between threads is copied, and an error would lose its class. */
export function doWork({ work, given }: Operation): Answer {
  try {
    return { result: (WORKS[work] as (...all: Operation['given']) => unknown)(...given) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { refused: { code: error.code, message: error.message } };
  }
}
