import type { ConditionNames } from '../../src/conditions/condition-views.js';

/** What completes the text at the cursor: it replaces the text from `from` on. */
export interface Completion {
  readonly from: number;
  readonly choices: readonly string[];
}

const MOST = 8;
/** The path that is being written, up to the cursor. */
const WORD = /[\p{L}_$][\p{L}\p{M}\p{Nd}_$.]*$/u;
const NAME = /^[\p{L}_$][\p{L}\p{M}\p{Nd}_$]*$/u;
const OWN = ['identifier', 'createdAt', 'updatedAt'];

/**
 * Paths of known properties that complete the last word before the cursor; undefined if there are
 * none.
 */
export function completionAt(
  text: string,
  cursor: number,
  names: ConditionNames,
): Completion | undefined {
  const before = text.slice(0, cursor);
  const word = isInText(before) ? undefined : WORD.exec(before)?.[0];
  if (word === undefined) return undefined;
  const choices = candidatesOf(names)
    .filter(({ path, name }) => path !== word && (startsWith(path, word) || holds(name, word)))
    .map(({ path }) => path)
    .slice(0, MOST);
  return choices.length === 0 ? undefined : { from: cursor - word.length, choices };
}

/**
 * A condition in the text of a file, up to the cursor: after `when:` and the like, or on its own
 * line where the path says what it is.
 */
const WRITTEN_WHEN = /\b(?:when|goal|done):[ \t]+(?:["']|[|>][-+]?)?[ \t]*(.*)$/;
const WRITTEN_PATH = /(?:^|[\s(!])((?:user|group)\.\S*)$/;

/** The same in a line of YAML, of which only what is part of a condition is completed. */
export function completionInLine(before: string, names: ConditionNames): Completion | undefined {
  const condition = (WRITTEN_WHEN.exec(before) ?? WRITTEN_PATH.exec(before))?.[1];
  const found =
    condition === undefined ? undefined : completionAt(condition, condition.length, names);
  return found && { ...found, from: before.length - condition!.length + found.from };
}

const startsWith = (path: string, word: string): boolean =>
  path.toLowerCase().startsWith(word.toLowerCase());
/** Any part of the name matches where its beginning does not. */
const holds = (name: string, word: string): boolean =>
  name.toLowerCase().includes(word.toLowerCase());

function candidatesOf(names: ConditionNames): { path: string; name: string }[] {
  const segments = names.segments.map((name) => ({
    path: `segment(${JSON.stringify(name)})`,
    name,
  }));
  const paths = (['user', 'group'] as const).flatMap((root) => [
    ...names[root].map((path) => ({
      path: `${root}.properties${path.map(written).join('')}`,
      name: path.join('.'),
    })),
    ...OWN.map((name) => ({ path: `${root}.${name}`, name })),
  ]);
  const events = names.events.flatMap((name) =>
    ['count', 'last', 'first'].map((member) => ({
      path: `user.events[${JSON.stringify(name)}].${member}`,
      name,
    })),
  );
  return [...segments, ...paths, ...events];
}

const written = (name: string): string =>
  NAME.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;

/** Whether a text was begun and is not closed yet. */
function isInText(before: string): boolean {
  return /["']/.test(before.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs, ''));
}
