import type { Json } from '../../engine/index.js';
import type { Place } from '../problem.js';

/** One difference between two definitions of a flow, in words. `place` leads to it in the later file, or the earlier if removed. */
export interface Difference {
  kind: 'added' | 'removed' | 'renamed' | 'replaced' | 'changed' | 'reordered';
  place: Place;
  text: string;
}

const MAX_LENGTH = 80;

/** That `what` has another value now; nothing when it has the same. */
export function changed(place: Place, what: string, before: Json | undefined, after: Json | undefined): Difference[] {
  if (isSame(before, after)) return [];
  return [{ kind: 'changed', place, text: `${what} is ${inWords(after)}, was ${inWords(before)}` }];
}

/** Whether two values are equal; the order of keys does not count. */
export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return sorted(a) === sorted(b);
}

function sorted(value: Json | undefined): string | undefined {
  return JSON.stringify(value, (_, inner: Json) =>
    inner === null || typeof inner !== 'object' || Array.isArray(inner) ? inner : { entries: Object.entries(inner).sort(byKey) },
  );
}

function byKey([a]: [string, Json], [b]: [string, Json]): number {
  return a < b ? -1 : 1;
}

export function inWords(value: Json | undefined): string {
  if (value === undefined || value === null) return 'empty';
  const letters = [...JSON.stringify(value)];
  return letters.length > MAX_LENGTH ? `${letters.slice(0, MAX_LENGTH).join('')}…` : letters.join('');
}
