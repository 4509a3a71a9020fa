import {
  COMPARISONS,
  type ComparisonName,
  type Group,
  type Part,
  type Path,
  type RowContent,
  type Unit,
  UNITS,
  type Value,
} from './rows.js';
import { type Token, tokensOf, unquote } from './tokens.js';

/**
 * A condition as rows (T15). They have their positions in the text, so that changing one leaves
 * every other character as it was. Undefined for what is no condition at all, such as one with a
 * parenthesis too many.
 */
export function readRows(text: string): Group | undefined {
  const tokens = tokensOf(text);
  if (!tokens || tokens.length === 0 || !isBalanced(tokens)) return undefined;
  const part = readOr(tokens);
  if (!part) return undefined;
  return part.kind === 'group' ? part : groupOf([part], [], 'and');
}

function isBalanced(tokens: readonly Token[]): boolean {
  const open: string[] = [];
  for (const { kind, source } of tokens) {
    if (kind !== 'sign') continue;
    if (source === '(' || source === '[') open.push(source);
    else if (source === ')' && open.pop() !== '(') return false;
    else if (source === ']' && open.pop() !== '[') return false;
  }
  return open.length === 0;
}

const readOr = (tokens: readonly Token[]): Part | undefined => readJoined(tokens, 'or', readAnd);
const readAnd = (tokens: readonly Token[]): Part | undefined => readJoined(tokens, 'and', readOne);

function readJoined(
  tokens: readonly Token[],
  join: 'and' | 'or',
  read: (tokens: readonly Token[]) => Part | undefined,
): Part | undefined {
  const { pieces, signs } = split(tokens, join);
  const parts = pieces.map((piece) => (piece.length === 0 ? undefined : read(piece)));
  if (!parts.every((part) => part !== undefined)) return undefined;
  return parts.length === 1 ? parts[0] : groupOf(parts, signs, join);
}

const groupOf = (parts: readonly Part[], signs: readonly Token[], join: 'and' | 'or'): Group => ({
  kind: 'group',
  join,
  hasParentheses: false,
  parts,
  signs,
  from: parts[0]!.from,
  to: parts.at(-1)!.to,
});

const SIGNS = { and: /^(and|&&)$/i, or: /^(or|\|\|)$/i };

/** Splits at operators outside of parentheses. After a dot they are names. */
function split(
  tokens: readonly Token[],
  join: 'and' | 'or',
): { pieces: Token[][]; signs: Token[] } {
  const pieces: Token[][] = [[]];
  const signs: Token[] = [];
  let depth = 0;
  tokens.forEach((token, index) => {
    if (token.source === '(' || token.source === '[') depth += 1;
    if (token.source === ')' || token.source === ']') depth -= 1;
    const isName = tokens[index - 1]?.source === '.';
    if (depth === 0 && !isName && token.kind !== 'text' && SIGNS[join].test(token.source)) {
      signs.push(token);
      pieces.push([]);
    } else pieces.at(-1)!.push(token);
  });
  return { pieces, signs };
}

function readOne(tokens: readonly Token[]): Part | undefined {
  const range = { from: tokens[0]!.from, to: tokens.at(-1)!.to };
  if (isInParentheses(tokens)) {
    const inner = readOr(tokens.slice(1, -1));
    if (!inner) return undefined;
    const group =
      inner.kind === 'group' && !inner.hasParentheses ? inner : groupOf([inner], [], 'and');
    return { ...group, ...range, hasParentheses: true };
  }
  const content = readRow(tokens);
  if (content) return { kind: 'row', ...content, ...range };
  const membership = readMembership(tokens);
  return membership ? { kind: 'segment', ...membership, ...range } : { kind: 'code', ...range };
}

/** `NOT segment("pro-admins")`. */
function readMembership(tokens: readonly Token[]): { name: string; isNot: boolean } | undefined {
  const isNot = isNotSign(tokens[0]!);
  const [call, open, name, close, ...more] = isNot ? tokens.slice(1) : tokens;
  const isCall = call?.source === 'segment' && open?.source === '(' && close?.source === ')';
  const text = isCall && more.length === 0 && name!.kind === 'text' && unquote(name!.source);
  return typeof text === 'string' ? { name: text, isNot } : undefined;
}

const isNotSign = ({ source, kind }: Token): boolean =>
  /^(not|!)$/i.test(source) && kind !== 'text';

/** Whether the first parenthesis is closed by the last one. */
function isInParentheses(tokens: readonly Token[]): boolean {
  if (tokens[0]!.source !== '(' || tokens.length < 3) return false;
  let depth = 0;
  return tokens.every(({ source }, index) => {
    depth += source === '(' ? 1 : source === ')' ? -1 : 0;
    return depth > 0 || index === tokens.length - 1;
  });
}

function readRow(tokens: readonly Token[]): RowContent | undefined {
  const isNot = isNotSign(tokens[0]!);
  const rest = isNot ? tokens.slice(1) : tokens;
  const found = readPath(rest);
  if (!found) return readCall(rest, isNot);
  const behind = rest.slice(found.length);
  if (behind.length === 0) return { path: found.path, comparison: isNot ? 'not holds' : 'holds' };
  return isNot ? undefined : readComparison(found.path, behind);
}

const CALLS = ['includes', 'startsWith', 'endsWith', 'matches', 'exists'] as const;

/** A function of a property and a value. */
function readCall(tokens: readonly Token[], isNot: boolean): RowContent | undefined {
  const call = CALLS.find((name) => name === tokens[0]?.source);
  if (!call || tokens[1]?.source !== '(' || tokens.at(-1)!.source !== ')') return undefined;
  const given = tokens.slice(2, -1);
  const found = readPath(given);
  if (!found) return undefined;
  const comparison: ComparisonName = isNot ? `not ${call}` : call;
  const behind = given.slice(found.length);
  if (call === 'exists') return behind.length === 0 ? { path: found.path, comparison } : undefined;
  if (behind[0]?.source !== ',') return undefined;
  const value = readValue(behind.slice(1));
  const isFit = value !== undefined && (call === 'includes' || typeof value === 'string');
  return isFit ? { path: found.path, comparison, value } : undefined;
}

function readComparison(path: Path, [sign, ...behind]: readonly Token[]): RowContent | undefined {
  const { source } = sign!;
  const value = readValue(behind);
  const isComparison = Object.hasOwn(COMPARISONS, source) && sign!.kind === 'sign';
  if (value !== undefined && isComparison)
    return { path, comparison: source as ComparisonName, value };
  const length = readTime(behind);
  const comparison = source === '>' ? 'within' : source === '<' ? 'before' : undefined;
  return length && comparison && { path, comparison, ...length };
}

/** `now() - days(14)`. */
function readTime(tokens: readonly Token[]): { value: number; unit: Unit } | undefined {
  const written = tokens.map(({ source, kind }) => (kind === 'number' ? '#' : source)).join('');
  const unit = UNITS.find((name) => written === `now()-${name}(#)`);
  const value = Number(tokens[6]?.source);
  return unit && Number.isFinite(value) ? { value, unit } : undefined;
}

const CONSTANTS: Readonly<Record<string, Value>> = { true: true, false: false, null: null };

function readValue([first, second, ...more]: readonly Token[]): Value | undefined {
  if (!first || more.length > 0) return undefined;
  if (second) {
    const isNegative = first.source === '-' && second.kind === 'number' && first.to === second.from;
    return isNegative ? finite(-Number(second.source)) : undefined;
  }
  if (first.kind === 'text') return unquote(first.source);
  if (first.kind === 'number') return finite(Number(first.source));
  return first.kind === 'word' ? CONSTANTS[first.source] : undefined;
}

const finite = (value: number): number | undefined =>
  Number.isFinite(value) && !Object.is(value, -0) ? value : undefined;

const OWN = ['identifier', 'createdAt', 'updatedAt'];
const EVENT_MEMBERS = ['count', 'first', 'last'];

/** What is known of what a user did, as in `user.events["Invited"].count` (Z2). */
const isEvent = ([first, name, member, ...more]: (string | number)[]): boolean =>
  first === 'events' &&
  typeof name === 'string' &&
  EVENT_MEMBERS.includes(String(member)) &&
  more.length === 0;

/** The path at the beginning, and how many tokens it takes. */
function readPath(tokens: readonly Token[]): { path: Path; length: number } | undefined {
  const root = tokens[0]?.source;
  if (root !== 'user' && root !== 'group') return undefined;
  const steps: (string | number)[] = [];
  let at = 1;
  for (;;) {
    const step = readStep(tokens.slice(at, at + 3));
    if (!step) break;
    steps.push(step.name);
    at += step.length;
  }
  const [first] = steps;
  const isKnown =
    first === 'properties' ? steps.length > 1 : OWN.includes(String(first)) && steps.length === 1;
  return isKnown || (root === 'user' && isEvent(steps))
    ? { path: [root, ...steps], length: at }
    : undefined;
}

function readStep([sign, name, end]: readonly Token[]):
  { name: string | number; length: number } | undefined {
  if (sign?.source === '.' && name?.kind === 'word') return { name: name.source, length: 2 };
  if (sign?.source !== '[' || end?.source !== ']') return undefined;
  if (name?.kind === 'number' && /^\d+$/.test(name.source))
    return { name: Number(name.source), length: 3 };
  const text = name?.kind === 'text' ? unquote(name.source) : undefined;
  return text === undefined ? undefined : { name: text, length: 3 };
}
