import { computed, signal } from '@preact/signals';
import { readPart, writePart } from '../api/part.js';

/**
 * Where the reader is: the view and everything chosen in it are in the URL, so that it can be
 * shared (T5).
 */
const address = signal(readAddress());

function readAddress(): { path: string; query: string } {
  return { path: location.pathname, query: location.search };
}

window.addEventListener('popstate', () => (address.value = readAddress()));

/** The decoded parts of the path; one that cannot be decoded stays as it is. */
export const parts = computed(() => address.value.path.split('/').filter(Boolean).map(readPart));

/** What is chosen in the view. */
export const query = computed(() => new URLSearchParams(address.value.query));

type Check = () => boolean;
let mayLeave: Check = () => true;

/** Asks before the reader goes elsewhere; undone by what it returns. */
export function guardLeaving(check: Check): () => void {
  mayLeave = check;
  return () => (mayLeave = () => true);
}

/** Goes to another view; `replace` where going back to this one would mean nothing. */
export function go(to: string, { replace = false } = {}): void {
  if (!mayLeave()) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  address.value = readAddress();
  if (!replace) window.scrollTo(0, 0);
}

/** Chooses something else in the same view; what is undefined is taken out of the address. */
export function choose(
  changes: Record<string, string | undefined>,
  options?: { replace?: boolean },
): void {
  const next = new URLSearchParams(query.value);
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) next.delete(key);
    else next.set(key, value);
  }
  const text = next.toString();
  const to = `${location.pathname}${text === '' ? '' : `?${text}`}`;
  history[options?.replace ? 'replaceState' : 'pushState'](null, '', to);
  address.value = readAddress();
}

/** The path of a view, each part written so that it stays one. */
export function to(...names: string[]): string {
  return `/${names.map(writePart).join('/')}`;
}
