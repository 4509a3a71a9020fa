import {
  type Comparison,
  EVENT_MEMBERS,
  type Node,
  type Range,
  ROOTS,
  SUBJECT_NAMES,
} from './expression.js';
import { FUNCTIONS } from './functions.js';
import { PatternError, Patterns } from './patterns.js';

export interface TextPosition {
  readonly line: number;
  readonly column: number;
}
interface Word {
  readonly text: string;
  readonly at: TextPosition;
}
interface Argument {
  readonly node: Node;
  readonly at: TextPosition;
}
interface Step {
  readonly step: string | number;
  readonly at: TextPosition;
}

/** Functions of which one argument is a text in quotes, not a value. */
const LITERAL: ReadonlyMap<string, readonly string[]> = new Map([
  ['matches', ['text', '"pattern"']],
  ['segment', ['"name"']],
]);

/**
 * What the grammar makes of what it has read in one expression. Refuses unknown names, wrong
 * numbers of arguments and bad patterns (S31).
 */
export const createNodes = (patterns = new Patterns()) => ({
  chain: (kind: 'and' | 'or', first: Node, rest: Node[], range: Range): Node =>
    rest.length === 0 ? first : { kind, operands: [first, ...rest], range },

  /**
   * Two signs make a boolean of a value; more add nothing, so that a long row of them costs no
   * depth.
   */
  negate(signs: number, operand: Node, range: Range): Node {
    if (signs === 0) return operand;
    const negated: Node = { kind: 'not', operand, range };
    return signs % 2 === 1 ? negated : { kind: 'not', operand: negated, range };
  },

  compare: (left: Node, tail: [Comparison, Node] | null, range: Range): Node =>
    tail ? { kind: 'comparison', operator: tail[0], left, right: tail[1], range } : left,

  sum: (first: Node, rest: Extract<Node, { kind: 'sum' }>['rest'], range: Range): Node =>
    rest.length === 0 ? first : { kind: 'sum', first, rest, range },

  literal: (value: string | number | boolean | null, range: Range): Node => ({
    kind: 'literal',
    value,
    range,
  }),

  text(text: string, at: TextPosition): string {
    if (/\p{Surrogate}/u.test(text))
      refuse('found half a surrogate pair in a string, expected both halves', at);
    if (text.includes('\0'))
      refuse('found U+0000 in a string, expected text that a user can have', at);
    return text;
  },

  call({ text: name, at }: Word, args: Argument[], range: Range): Node {
    const parameters = LITERAL.get(name) ?? FUNCTIONS.get(name)?.parameters;
    if (!parameters)
      return refuse(
        `found the unknown function ${name}, expected one of ${[...FUNCTIONS.keys(), ...LITERAL.keys()].join(', ')}`,
        at,
      );
    const counted = args.length === 1 ? '1 argument' : `${args.length} arguments`;
    if (args.length !== parameters.length)
      return refuse(`found ${counted}, expected ${name}(${parameters.join(', ')})`, at);
    if (name === 'matches') return matches(patterns, range, ...(args as [Argument, Argument]));
    if (name === 'segment') return segment(range, ...(args as [Argument]));
    return { kind: 'call', name, args: args.map(({ node }) => node), range };
  },

  path({ text, at }: Word, [first, ...rest]: Step[], range: Range): Node {
    const root = ROOTS.find((known) => known === text);
    if (!root)
      return refuse(
        `found the unknown name ${text}, expected user, group, a function with its arguments or a value`,
        at,
      );
    if (root === 'user' && first?.step === 'events') return event(first, rest, range);
    const name = SUBJECT_NAMES.find((known) => known === first?.step);
    if (!name) {
      const found = first
        ? `the unknown name ${JSON.stringify(first.step)} of ${root}`
        : `${root} alone`;
      return refuse(
        `found ${found}, expected ${[...SUBJECT_NAMES, ...(root === 'user' ? ['events'] : [])].map((known) => `${root}.${known}`).join(', ')}`,
        first?.at ?? at,
      );
    }
    return { kind: 'path', root, name, steps: rest.map(({ step }) => step), range };
  },
});

/** How often a user did something, and when, by its name and nothing else (Z2). */
function event({ at }: Step, [name, member, more]: Step[], range: Range): Node {
  const known = EVENT_MEMBERS.find((one) => one === member?.step);
  if (typeof name?.step !== 'string' || !known || more)
    return refuse(
      `found user.events otherwise than with a name and what is known of it, expected ${EVENT_MEMBERS.map((one) => `user.events["NAME"].${one}`).join(', ')}`,
      more?.at ?? at,
    );
  return { kind: 'event', name: name.step, member: known, range };
}

function matches(patterns: Patterns, range: Range, text: Argument, { node, at }: Argument): Node {
  if (node.kind !== 'literal' || typeof node.value !== 'string')
    return refuse('expected the pattern of matches as a string in quotes', at);
  try {
    return { kind: 'matches', text: text.node, pattern: patterns.compile(node.value), range };
  } catch (error) {
    if (error instanceof PatternError) return refuse(error.message, at);
    throw error;
  }
}

function segment(range: Range, { node, at }: Argument): Node {
  if (node.kind !== 'literal' || typeof node.value !== 'string')
    return refuse('expected the name of a segment as a string in quotes', at);
  return { kind: 'segment', name: node.value, range };
}

/**
 * An expression that cannot be read (S31). `line` and `column` count from 1; the message says what
 * was found and what is allowed.
 */
export class ExpressionSyntaxError extends Error {
  constructor(
    message: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(message);
    this.name = 'ExpressionSyntaxError';
  }
}

function refuse(message: string, { line, column }: TextPosition): never {
  throw new ExpressionSyntaxError(message, line, column);
}
