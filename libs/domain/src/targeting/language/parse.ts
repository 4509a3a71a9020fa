import { ExpressionSyntaxError, createNodes, type TextPosition } from './nodes.js';
import { type Expression, type Node, operandsOf } from './expression.js';
import { parse, SyntaxError } from './expression.generated.js';

const LONGEST_SOURCE = 10_000;
const DEEPEST_NESTING = 100;

/**
 * Reads and checks an expression once (S29 to S31). Throws `ExpressionSyntaxError` with line and column; refuses texts over
 * 10,000 characters and over 100 levels of parentheses, so that neither reading nor evaluating can run long or deep.
 */
export function parseExpression(source: string): Expression {
  checkSize(source);
  try {
    const root = parse(source, { nodes: createNodes() }) as Node;
    return {
      source,
      root,
      mentionsGroup: mentionsGroup(root),
      events: [...new Set(eventsIn(root))],
    };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { line, column } = error.location.start;
    throw new ExpressionSyntaxError(messageOf(error, source), line, column);
  }
}

const mentionsGroup = (node: Node): boolean =>
  node.kind === 'path' ? node.root === 'group' : operandsOf(node).some(mentionsGroup);

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

/** Looked for before parsing, since the parser itself recurses. Parentheses in strings do not count. */
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
