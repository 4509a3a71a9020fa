/**
 * What acts on a terminal: control characters, and those that turn the direction of what follows.
 */
const ACTING = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Makes texts of others safe for a terminal: control characters are escaped, as `\u001b`. Lines
 * stay lines.
 */
export function plainText(text: string): string {
  return text.replace(ACTING, (character) =>
    character === '\n' ? character : writtenOut(character),
  );
}

/** The same on one line. */
export function plainLine(text: string): string {
  return text.replace(ACTING, writtenOut);
}

/**
 * JSON text with them written out, which is the same JSON: of control characters it may hold those
 * from U+007F on as they are.
 */
export function plainJson(json: string): string {
  return json.replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, writtenOut);
}

function writtenOut(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const FLAGS = ['started', 'stopped', 'finished'] as const;

/** What is set of a state, as in `started, stopped`; `clean` where nothing is. */
export const flagsText = (state: Readonly<Record<(typeof FLAGS)[number], boolean>>): string =>
  FLAGS.filter((flag) => state[flag]).join(', ') || 'clean';
