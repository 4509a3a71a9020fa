/**
 * Slices of JSON text that has already been parsed once, so that a value can be stored as it was
 * written: numbers beyond 2^53 would not survive the way through JavaScript (U2). Text that is not
 * JSON gives nonsense, never an endless loop.
 */

/**
 * The members of an object's text: decoded key to the raw text of its value; of equal keys the last
 * one counts.
 */
export function rawMembers(object: string): Map<string, string> {
  const members = new Map<string, string>();
  visitMembers(object, (keyStart, keyEnd, start, end) => {
    members.set(decodeKey(object.slice(keyStart, keyEnd)), object.slice(start, end));
  });
  return members;
}

/**
 * The raw text of one member of an object's text, without building the others; of equal keys the
 * last one counts.
 */
export function findRawMember(object: string, key: string): string | undefined {
  const quoted = JSON.stringify(key);
  let found: string | undefined;
  visitMembers(object, (keyStart, keyEnd, start, end) => {
    const isPlain = keyEnd - keyStart === quoted.length && object.startsWith(quoted, keyStart);
    if (isPlain || isEscapedKey(object.slice(keyStart, keyEnd), key))
      found = object.slice(start, end);
  });
  return found;
}

function visitMembers(
  object: string,
  visit: (keyStart: number, keyEnd: number, start: number, end: number) => void,
): void {
  let at = skipSpace(object, 1 + skipSpace(object, 0));
  while (object[at] === '"') {
    const keyEnd = endOfString(object, at) + 1;
    const start = skipSpace(object, 1 + skipSpace(object, keyEnd));
    const end = endOfValue(object, start);
    visit(at, keyEnd, start, end);
    at = skipSpace(object, 1 + skipSpace(object, end));
  }
}

/** The raw texts of the items of an array's text. */
export function rawItems(array: string): string[] {
  const items: string[] = [];
  let at = skipSpace(array, 1 + skipSpace(array, 0));
  while (at < array.length && array[at] !== ']') {
    const end = endOfValue(array, at);
    items.push(array.slice(at, end));
    at = skipSpace(array, 1 + skipSpace(array, end));
  }
  return items;
}

/**
 * One object's text with the members of all, later ones winning key by key; values stay as they
 * were written.
 */
export function mergeRawObjects(objects: readonly string[]): string {
  const [first, ...rest] = objects;
  if (first !== undefined && rest.length === 0) return first;
  const merged = new Map<string, string>();
  for (const object of objects)
    for (const [key, value] of rawMembers(object)) merged.set(key, value);
  return `{${Array.from(merged, ([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
}

/** The index of the quote that ends the string beginning at `start`, or the length of the text. */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
}

const BACKSLASH = 0x5c;
const decodeKey = (raw: string): string =>
  raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
const isEscapedKey = (raw: string, key: string): boolean =>
  raw.includes('\\') && JSON.parse(raw) === key;

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 0x20) at++;
  return at;
}

/** The index behind the value that begins at `start`. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22 /* " */:
        at = endOfString(text, at);
        if (depth === 0) return at + 1;
        break;
      case 0x5b /* [ */:
      case 0x7b /* { */:
        depth++;
        break;
      case 0x5d /* ] */:
      case 0x7d /* } */:
        if (depth === 0) return at;
        if (--depth === 0) return at + 1;
        break;
      case 0x20:
      case 0x09:
      case 0x0a:
      case 0x0d:
      case 0x2c /* , */:
        if (depth === 0) return at;
    }
  }
  return text.length;
}
