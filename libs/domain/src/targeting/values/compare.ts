import { Duration, isObject, kindOf, Moment, type Value } from './value.js';

/**
 * Numbers of keys already counted, so that a large object compared with many small ones is counted
 * once.
 */
export type KeyCounts = Map<object, number>;

/**
 * Whether two values are equal: deep, in any order of keys, never across kinds except a date and
 * its ISO text (S31).
 */
export function equal(left: Value, right: Value, counts: KeyCounts = new Map()): boolean {
  const pending: [Value, Value][] = [[left, right]];
  // A list of pairs, not recursion: however deep the data is, the stack stays flat.
  for (let pair = pending.pop(); pair; pair = pending.pop()) {
    const inside = findPairs(...asComparable(...pair), counts);
    if (inside === null) return false;
    for (const next of inside) pending.push(next);
  }
  return true;
}

/** The pairs inside that have to be equal as well; null when the two differ already. */
function findPairs(a: Value, b: Value, counts: KeyCounts): [Value, Value][] | null {
  if (kindOf(a) !== kindOf(b)) return null;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length ? a.map((item, index) => [item, b[index] ?? null]) : null;
  if (isObject(a) && isObject(b))
    return haveSameKeys(a, b, counts)
      ? Object.keys(a).map((key) => [a[key] ?? null, b[key] ?? null])
      : null;
  return (magnitudeOf(a) ?? a) === (magnitudeOf(b) ?? b) ? [] : null;
}

function haveSameKeys(a: object, b: object, counts: KeyCounts): boolean {
  const keys = Object.keys(a);
  if (!keys.every((key) => Object.hasOwn(b, key))) return false;
  const count = counts.get(b) ?? Object.keys(b).length;
  counts.set(b, count);
  return keys.length === count;
}

/**
 * Negative, zero or positive as `left` sorts before, with or after `right`; null when they have no
 * order (S31).
 */
export function order(left: Value, right: Value): number | null {
  const [a, b] = asComparable(left, right);
  if (kindOf(a) !== kindOf(b)) return null;
  if (typeof a === 'string' && typeof b === 'string') return orderTexts(a, b);
  const x = magnitudeOf(a);
  const y = magnitudeOf(b);
  if (x === null || y === null) return null;
  // Not a difference: two infinities would differ by NaN.
  return x < y ? -1 : Number(x > y);
}

/** A date compares with an ISO 8601 string; text that is no date is null beside it (S31). */
function asComparable(left: Value, right: Value): [Value, Value] {
  if (left instanceof Moment && typeof right === 'string') return [left, toMoment(right)];
  if (right instanceof Moment && typeof left === 'string') return [toMoment(left), right];
  return [left, right];
}

const MINUTE = 60_000;
const FORM =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[T ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?(?<zone>Z|[+-]\d\d(?::?\d\d)?)?)?$/;

/** The date that a text stands for, or null (S30). */
export function toMoment(text: string): Moment | null {
  const milliseconds = parseDate(text);
  return milliseconds === null ? null : new Moment(milliseconds);
}

/**
 * Milliseconds since 1970 of an ISO 8601 calendar date, with or without time and zone, UTC without
 * (S30). Null for any other text and for days and times that do not exist.
 */
export function parseDate(text: string): number | null {
  const parts = FORM.exec(text)?.groups;
  if (!parts) return null;
  const day = findDay(Number(parts.year), Number(parts.month), Number(parts.day));
  const time = findTime(
    Number(parts.hour ?? 0),
    Number(parts.minute ?? 0),
    Number(parts.second ?? 0),
  );
  const offset = findOffset(parts.zone ?? 'Z');
  if (day === null || time === null || offset === null) return null;
  return day + time + readFraction(parts.fraction ?? '') - offset;
}

function findDay(year: number, month: number, day: number): number | null {
  // oxlint-disable-next-line no-restricted-globals -- a calendar, not the clock
  const date = new Date(0);
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 ? date.getTime() : null;
}

function findTime(hour: number, minute: number, second: number): number | null {
  if (hour > 23 || minute > 59 || second > 59) return null;
  return (hour * 60 + minute) * MINUTE + second * 1000;
}

function findOffset(zone: string): number | null {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE;
}

/** Moves the point in the text, since multiplying by 1000 would round. */
function readFraction(digits: string): number {
  return Number(`${digits.slice(0, 3).padEnd(3, '0')}.${digits.slice(3)}`);
}

function magnitudeOf(value: Value): number | null {
  if (typeof value === 'number') return value;
  return value instanceof Moment || value instanceof Duration ? value.milliseconds : null;
}

/**
 * Orders by code points; JavaScript's own `<` puts U+FFFD after every emoji, since it sees halves
 * of them.
 */
function orderTexts(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index += 1) {
    if (a.charCodeAt(index) !== b.charCodeAt(index))
      return unitRank(a.charCodeAt(index)) - unitRank(b.charCodeAt(index));
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all others. */
function unitRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
