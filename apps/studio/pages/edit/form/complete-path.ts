import type { PropertyNames } from '../../../src/properties/property-names.js';

/** What may stand where somebody is writing: it takes the place of the text from `from` on, up to the cursor. */
export interface Completion {
  readonly from: number;
  readonly choices: readonly string[];
}

const MOST = 8;
/** The path that is being written, up to the cursor. */
const WORD = /[\p{L}_$][\p{L}\p{M}\p{Nd}_$.]*$/u;
const NAME = /^[\p{L}_$][\p{L}\p{M}\p{Nd}_$]*$/u;
const OWN = ['identifier', 'createdAt', 'updatedAt'];

/** Paths to the properties that there are, for the last word before the cursor; undefined where there is nothing to offer. */
export function completionAt(text: string, cursor: number, names: PropertyNames): Completion | undefined {
  const before = text.slice(0, cursor);
  const word = isInText(before) ? undefined : WORD.exec(before)?.[0];
  if (word === undefined) return undefined;
  const choices = pathsOf(names)
    .filter((path) => path !== word && fits(path, word.toLowerCase()))
    .slice(0, MOST);
  return choices.length === 0 ? undefined : { from: cursor - word.length, choices };
}

/** Whoever does not begin with the beginning may write any part of the name. */
function fits(path: string, word: string): boolean {
  const lower = path.toLowerCase();
  return lower.startsWith(word) || (!word.includes('.') && lower.slice(lower.indexOf('.') + 1).includes(word));
}

function pathsOf(names: PropertyNames): string[] {
  return (['user', 'group'] as const).flatMap((root) => [
    ...names[root].map((name) => `${root}.properties${written(name)}`),
    ...OWN.map((own) => `${root}.${own}`),
  ]);
}

const written = (name: string): string => (NAME.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);

/** Whether a text was begun and is not closed yet. */
function isInText(before: string): boolean {
  return /["']/.test(before.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs, ''));
}
