import { readRows } from './read-rows.js';
import {
  COMPARISONS,
  type Group,
  type Membership,
  type Part,
  type Path,
  type RowContent,
  type Value,
} from './rows.js';
import { showValue } from './write-rows.js';

/** What people call the parts of a condition, where it is edited and where it is read (T15). */
export const JOINS = { and: 'All of these', or: 'Any of these' };

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

/**
 * A condition in one line, where its rows have no room: `plan is pro and (country is DE or country
 * is FR)`. Undefined where rows cannot say it all, since code between words would be taken for
 * words.
 */
export function conditionWords(text: string): string | undefined {
  const whole = readRows(text);
  return whole && groupWords(whole);
}

function groupWords({ parts, join }: Group): string | undefined {
  const words = parts.map((part) => {
    const said = partWords(part);
    return said !== undefined && part.kind === 'group' && part.parts.length > 1
      ? `(${said})`
      : said;
  });
  return words.every((one) => one !== undefined) ? words.join(` ${join} `) : undefined;
}

function partWords(part: Part): string | undefined {
  switch (part.kind) {
    case 'code':
      return undefined;
    case 'group':
      return groupWords(part);
    case 'segment':
      return membershipWords(part);
    case 'row':
      return rowWords(part);
  }
}

const membershipWords = ({ name, isNot }: Membership): string =>
  `${MEMBERSHIP[isNot ? 'out' : 'in']} ${delimited(name, PLAIN_VALUE)}`;

function rowWords({ path, comparison, value, unit }: RowContent): string {
  const said = `${delimited(wordsOf(path), PLAIN_NAME)} ${COMPARISONS[comparison].words}`;
  if (value === undefined) return said;
  const isDelimited = typeof value === 'string' && !PLAIN_VALUE.test(value);
  return `${said} ${isDelimited ? JSON.stringify(value) : valueWords(value, unit)}`;
}

const PLAIN_NAME = /^[\p{L}\p{M}\p{N}_$.:/-]+(?: [\p{L}\p{M}\p{N}_$.:/-]+)*$/u;
const PLAIN_VALUE = /^[\p{L}\p{M}\p{N}_$.:/@+-]+$/u;

/** In quotes where it could be taken for more than one word of the line. */
const delimited = (text: string, plain: RegExp): string =>
  plain.test(text) ? text : JSON.stringify(text);
