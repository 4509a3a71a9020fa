import type { TextPart } from '../../engine/index.js';
import { parseExpression } from '../../targeting/index.js';

/**
 * What begins like a property of the user in a text: `${user.`, with a dollar before it where it is
 * meant literally; then, if it is one, its path and the word for who has none.
 */
const STEP = String.raw`\.[\p{L}_$][\p{L}\p{Nd}_$]*|\[\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\d+)\s*\]`;
const PROPERTY = new RegExp(
  String.raw`(\$?)\$\{\s*user(?=\s*[.[])(?:\.properties((?:${STEP})+)\s*(?:\|([^}|]*))?\})?`,
  'gu',
);

/** A text that an application may follow as an address; nothing of a user gets into one (Z5). */
const ADDRESS = /^\s*(?:[a-z][a-z0-9+.-]*:|\.{0,2}\/)\S+\s*$/i;

/** Whether a text is an address, whatever it would show of a user. */
export const isAddress = (text: string): boolean => ADDRESS.test(text.replace(PROPERTY, 'x'));

interface Recognised {
  /** As it is written where it shows properties, else as it is read. */
  readonly text: string;
  readonly parts?: TextPart[];
  /** Whether something begins like a property of the user, and is none. */
  readonly isMisread: boolean;
}

/**
 * What a text shows of the user: stored as parts, so that texts of versions from before stay as
 * they are (Z5).
 */
export function recognise(source: string): Recognised {
  const parts: TextPart[] = [];
  let end = 0;
  let isMisread = false;
  const literal = (text: string): void => {
    if (typeof parts.at(-1) === 'string') parts.push(`${parts.pop() as string}${text}`);
    else if (text !== '') parts.push(text);
  };
  for (const { 0: whole, 1: escape, 2: steps, 3: word, index } of source.matchAll(PROPERTY)) {
    literal(source.slice(end, index));
    end = index + whole.length;
    const path = steps === undefined || escape ? undefined : readPath(steps);
    isMisread ||= !path && !escape;
    if (!path) literal(escape ? whole.slice(1) : whole);
    else parts.push({ path, ...(word?.trim() && { or: word.trim() }) });
  }
  literal(source.slice(end));
  return parts.some((part) => typeof part !== 'string')
    ? { text: source, parts, isMisread }
    : { text: parts.join(''), isMisread };
}

/** Undefined where it is no path after all, half a surrogate pair for instance. */
function readPath(steps: string): (string | number)[] | undefined {
  try {
    const { root } = parseExpression(`user.properties${steps}`);
    return root.kind === 'path' ? [...root.steps] : undefined;
  } catch {
    return undefined;
  }
}

/** A literal text as it has to be written, to be read as it is. */
export const escapeText = (text: string): string => text.replace(PROPERTY, (whole) => `$${whole}`);
