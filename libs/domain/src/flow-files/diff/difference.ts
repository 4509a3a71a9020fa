import { isSame, type Json } from '../../targeting/json/json.js';
import type { Place } from '../source/file-problem.js';

/**
 * One difference between two definitions of a flow, in words. `place` leads to it in the later
 * file, or the earlier if removed.
 */
export interface Difference {
  kind: 'added' | 'removed' | 'renamed' | 'replaced' | 'changed' | 'reordered';
  place: Place;
  text: string;
}

const MAX_LENGTH = 80;
/** What is shown before the first difference of long values. */
const LEAD = 20;

/** That `what` has another value now; nothing when it has the same. */
export function changed(
  place: Place,
  what: string,
  before: Json | undefined,
  after: Json | undefined,
): Difference[] {
  if (isSame(before, after)) return [];
  return [
    {
      kind: 'changed',
      place,
      text: `${what} is ${inWords(after, before)}, was ${inWords(before, after)}`,
    },
  ];
}

/** Says that parts which are in both are in another order now. */
export function reordered(
  place: Place,
  what: string,
  before: Iterable<string>,
  after: Iterable<string>,
  comma = ', ',
): Difference[] {
  const [had, has] = [new Set(before), new Set(after)];
  const kept = [...has].filter((name) => had.has(name));
  if (kept.join('\n') === [...had].filter((name) => has.has(name)).join('\n')) return [];
  return [{ kind: 'reordered', place, text: `the order of ${what} is ${kept.join(comma)}` }];
}

/**
 * A value as JSON, cut when it is long: after its beginning, or around where it begins to differ
 * from another.
 */
export function inWords(value: Json | undefined, other?: Json): string {
  const letters = lettersOf(value);
  const difference = other === undefined ? 0 : commonLength(letters, lettersOf(other));
  const start = difference < MAX_LENGTH ? 0 : difference - LEAD;
  const end = start + MAX_LENGTH;
  return `${start > 0 ? '…' : ''}${letters.slice(start, end).join('')}${end < letters.length ? '…' : ''}`;
}

function lettersOf(value: Json | undefined): string[] {
  if (value === undefined) return [...'absent'];
  return [...(value === null ? 'empty' : JSON.stringify(value))];
}

function commonLength(a: readonly string[], b: readonly string[]): number {
  const length = a.findIndex((letter, index) => letter !== b[index]);
  return length === -1 ? a.length : length;
}
