import type { Path, Value } from './rows.js';
import { showValue } from './write-rows.js';

/** What people call the parts of a condition, where it is edited and where it is read (T15). */
export const JOINS = { and: 'All of these hold', or: 'Any of these holds' };

export const MEMBERSHIP = { in: 'is in the segment', out: 'is not in the segment' };

/** What is known of every user. */
export const OWN = [
  { path: ['user', 'identifier'], words: 'identifier' },
  { path: ['user', 'createdAt'], words: 'first identified' },
  { path: ['user', 'updatedAt'], words: 'last identified' },
] as const satisfies { path: Path; words: string }[];

/** What is known of each event that a user did. */
export const MEMBERS: Readonly<Record<string, string>> = {
  count: 'times done',
  last: 'last done',
  first: 'first done',
};

/** `plan`, `group: plan`, `first identified`, `Invited: times done`. */
export function wordsOf([root, kind, ...steps]: Path): string {
  if (kind === 'events') return `${steps[0]}: ${MEMBERS[String(steps[1])]}`;
  const own = OWN.find(({ path: [, name] }) => name === kind)?.words;
  const words = own ?? steps.join('.');
  return root === 'group' ? `group: ${words}` : words;
}

const SINGULAR = { days: 'day', hours: 'hour', minutes: 'minute' } as const;

/** A value as a row shows it: `pro`, `14 days`. */
export const valueWords = (value: Value, unit: keyof typeof SINGULAR | undefined): string =>
  unit === undefined ? showValue(value) : `${value} ${value === 1 ? SINGULAR[unit] : unit}`;
