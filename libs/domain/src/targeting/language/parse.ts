import { ExpressionSyntaxError, createNodes, type TextPosition } from './nodes.js';
import { type Expression, type Node, operandsOf } from './expression.js';
import { parse, SyntaxError } from './expression.generated.js';

const LONGEST_SOURCE = 10_000;
const DEEPEST_NESTING = 100;

/** The texts of segments by name (Z6). */
export type SegmentTexts = Readonly<Record<string, string>>;

/**
 * Reads and checks an expression once (S29 to S31), with the texts of its segments in their place
 * (Z6); with `any` they stay names, so that it can be looked at and not evaluated. Throws
 * `ExpressionSyntaxError` with line and column; refuses texts over 10,000 characters and over 100
 * levels of parentheses, so that neither reading nor evaluating can run long or deep.
 */
export function parseExpression(source: string, segments: SegmentTexts | 'any' = {}): Expression {
  const read = readExpression(source);
  if (segments === 'any' || read.segments.length === 0) return read;
  return readExpression(expandSegments(source, segments));
}

/**
 * The expression with `(TEXT)` in the place of each segment, also of those within segments. Throws
 * `ExpressionSyntaxError` for names that are unknown, segments that lead back to themselves, and
 * what is too long or deep with them.
 */
export function expandSegments(source: string, segments: SegmentTexts): string {
  const { root } = readExpression(source);
  const [first] = segmentsIn(root);
  if (!first) return source;
  const expanded = expand(source, segments, []);
  try {
    readExpression(expanded);
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    throw refusalAt(source, first, `with its segments in their place: ${error.message}`);
  }
  return expanded;
}

type Segment = Extract<Node, { kind: 'segment' }>;

function expand(source: string, texts: SegmentTexts, within: readonly string[]): string {
  let expanded = '';
  let at = 0;
  for (const segment of segmentsIn(readExpression(source).root)) {
    const { name, range } = segment;
    if (!Object.hasOwn(texts, name)) throw refusalAt(source, segment, unknown(name, texts));
    if (within.includes(name)) {
      const way = [...within.slice(within.indexOf(name)), name].join(', ');
      throw refusalAt(
        source,
        segment,
        `segment ${JSON.stringify(name)} leads back to itself: ${way}`,
      );
    }
    if (within.length > DEEPEST_NESTING || expanded.length > LONGEST_SOURCE)
      throw refusalAt(source, segment, 'found too many segments in one another, expected fewer');
    expanded += `${source.slice(at, range.start)}(${expandWithin(source, segment, texts, within)})`;
    at = range.start + source.slice(range.start, range.end).trimEnd().length;
  }
  return expanded + source.slice(at);
}

/** Problems of a segment are reported where it is mentioned. */
function expandWithin(
  source: string,
  segment: Segment,
  texts: SegmentTexts,
  within: readonly string[],
): string {
  try {
    return expand(texts[segment.name]!, texts, [...within, segment.name]);
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    throw refusalAt(source, segment, error.message);
  }
}

/** Names of segments in a refusal. */
const MOST_NAMED = 20;

function unknown(name: string, texts: SegmentTexts): string {
  const names = Object.keys(texts);
  const more = names.length - MOST_NAMED;
  const known = names.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  const expected = names.length > 0 ? `expected one of ${known}` : 'and there are no segments';
  return `found the unknown segment ${JSON.stringify(name)}, ${expected}`;
}

function refusalAt(source: string, { range }: Segment, message: string): ExpressionSyntaxError {
  const { line, column } = placeOf(source, range.start);
  return new ExpressionSyntaxError(message, line, column);
}

function readExpression(source: string): Expression {
  checkSize(source);
  try {
    const root = parse(source, { nodes: createNodes() }) as Node;
    return {
      source,
      root,
      mentionsGroup: mentionsGroup(root),
      mentionsNow: mentionsNow(root),
      events: [...new Set(eventsIn(root))],
      segments: [...new Set(segmentsIn(root).map(({ name }) => name))],
    };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { line, column } = error.location.start;
    throw new ExpressionSyntaxError(messageOf(error, source), line, column);
  }
}

/** In the order of the text. */
const segmentsIn = (node: Node): Segment[] =>
  node.kind === 'segment' ? [node] : operandsOf(node).flatMap(segmentsIn);

const mentionsGroup = (node: Node): boolean =>
  node.kind === 'path' ? node.root === 'group' : operandsOf(node).some(mentionsGroup);

const mentionsNow = (node: Node): boolean =>
  (node.kind === 'call' && node.name === 'now') || operandsOf(node).some(mentionsNow);

const eventsIn = (node: Node): string[] =>
  node.kind === 'event' ? [node.name] : operandsOf(node).flatMap(eventsIn);

function checkSize(source: string): void {
  if (source.length > LONGEST_SOURCE) {
    throw new ExpressionSyntaxError(
      `found ${source.length} characters, expected at most ${LONGEST_SOURCE}`,
      1,
      1,
    );
  }
  const tooDeep = findTooDeep(source);
  if (tooDeep === null) return;
  const { line, column } = placeOf(source, tooDeep);
  throw new ExpressionSyntaxError(
    `found more than ${DEEPEST_NESTING} parentheses inside one another, expected fewer`,
    line,
    column,
  );
}

/**
 * Looked for before parsing, since the parser itself recurses. Parentheses in strings do not count.
 */
function findTooDeep(source: string): number | null {
  let depth = 0;
  for (const { 0: token, index } of source.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[()]/gs)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (depth > DEEPEST_NESTING) return index;
  }
  return null;
}

function placeOf(source: string, offset: number): TextPosition {
  const before = source.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

function messageOf({ message, expected, location }: SyntaxError, source: string): string {
  // What the grammar refuses in its own words carries no list of expectations.
  if (expected === null) return message;
  const names = expected.map(({ type, text, description }) =>
    type === 'literal' ? JSON.stringify(text) : (description ?? 'the end'),
  );
  const allowed = [...new Set(names)].filter((name) => name !== 'white space');
  return `found ${tokenAt(source, location.start.offset)}, expected ${allowed.join(', ').replace(/, ([^,]+)$/, ' or $1')}`;
}

/** The whole word, not its first letter as the parser has it. */
function tokenAt(source: string, offset: number): string {
  const token = /^(?:[\p{L}\p{M}\p{Nd}_$]+|.)/su.exec(source.slice(offset));
  return token ? JSON.stringify(token[0]) : 'the end';
}
