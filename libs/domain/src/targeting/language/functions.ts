import { equal, toMoment, type KeyCounts } from '../values/compare.js';
import { Duration, Moment, type Value } from '../values/value.js';

/**
 * A function of the language: its parameters for messages, and what it computes. It never throws
 * (S31).
 */
interface ExpressionFunction {
  readonly parameters: readonly string[];
  readonly apply: (now: number, ...args: Value[]) => Value;
}

const SECOND = 1000;
const span = (unit: number): ExpressionFunction => ({
  parameters: ['n'],
  apply: (_, n = null) => (typeof n === 'number' ? finite(n * unit, Duration) : null),
});

/**
 * The functions of S30 but `matches`, whose pattern is part of the syntax. A Map, since
 * `constructor` is no function.
 */
export const FUNCTIONS: ReadonlyMap<string, ExpressionFunction> = new Map<
  string,
  ExpressionFunction
>([
  [
    'includes',
    {
      parameters: ['collection', 'value'],
      apply: (_, collection = null, value = null) => includes(collection, value),
    },
  ],
  [
    'startsWith',
    {
      parameters: ['a', 'b'],
      apply: (_, a, b) => typeof a === 'string' && typeof b === 'string' && a.startsWith(b),
    },
  ],
  [
    'endsWith',
    {
      parameters: ['a', 'b'],
      apply: (_, a, b) => typeof a === 'string' && typeof b === 'string' && a.endsWith(b),
    },
  ],
  ['exists', { parameters: ['x'], apply: (_, x) => x !== null }],
  ['length', { parameters: ['x'], apply: (_, x = null) => findLength(x) }],
  [
    'lower',
    { parameters: ['x'], apply: (_, x) => (typeof x === 'string' ? x.toLowerCase() : null) },
  ],
  ['now', { parameters: [], apply: (now) => new Moment(now) }],
  ['date', { parameters: ['x'], apply: (_, x = null) => toDate(x) }],
  ['days', span(24 * 3600 * SECOND)],
  ['hours', span(3600 * SECOND)],
  ['minutes', span(60 * SECOND)],
]);

/** Below this the search of JavaScript itself is quick whatever the texts are. */
const SHORT = 64;

function includes(collection: Value, value: Value): boolean {
  if (typeof collection === 'string')
    return typeof value === 'string' && holdsText(collection, value);
  if (!Array.isArray(collection)) return false;
  const counts: KeyCounts = new Map();
  return collection.some((member) => equal(member, value, counts));
}

/**
 * Whether a text holds another one, in time that grows with their lengths alone: JavaScript's own
 * search takes half a minute for two hostile texts of 500 kB. Knuth, Morris and Pratt's.
 */
export function holdsText(text: string, part: string): boolean {
  if (part.length <= SHORT || part.length >= text.length) return text.includes(part);
  const borders = bordersOf(part);
  let matched = 0;
  for (let index = 0; index < text.length; index++) {
    matched = extend(part, borders, matched, text.charCodeAt(index));
    if (matched === part.length) return true;
  }
  return false;
}

/** For each length, how much of the beginning of the part is its end as well. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length + 1);
  let matched = 0;
  for (let index = 1; index < part.length; index++) {
    matched = extend(part, borders, matched, part.charCodeAt(index));
    borders[index + 1] = matched;
  }
  return borders;
}

function extend(part: string, borders: Int32Array, matched: number, unit: number): number {
  while (matched > 0 && part.charCodeAt(matched) !== unit) matched = borders[matched]!;
  return part.charCodeAt(matched) === unit ? matched + 1 : 0;
}

function findLength(x: Value): number | null {
  if (Array.isArray(x)) return x.length;
  return typeof x === 'string' ? [...x].length : null;
}

function toDate(x: Value): Value {
  if (x instanceof Moment) return x;
  return typeof x === 'string' ? toMoment(x) : null;
}

/**
 * Sum (`sign` 1) or difference (-1) of dates and durations; null for everything else, numbers and
 * strings too (S30).
 */
export function add(left: Value, sign: 1 | -1, right: Value): Value {
  if (left instanceof Moment && right instanceof Moment && sign === -1)
    return finite(left.milliseconds - right.milliseconds, Duration);
  if (sign === 1 && left instanceof Duration && right instanceof Moment) return add(right, 1, left);
  if (!(right instanceof Duration)) return null;
  if (left instanceof Moment) return finite(left.milliseconds + sign * right.milliseconds, Moment);
  return left instanceof Duration
    ? finite(left.milliseconds + sign * right.milliseconds, Duration)
    : null;
}

/** Null instead of a time that no double can hold. */
function finite(milliseconds: number, kind: typeof Moment | typeof Duration): Value {
  return Number.isFinite(milliseconds) ? new kind(milliseconds) : null;
}
