/** What a property may be compared with. */
export type Value = string | number | boolean | null;

/** Where a value is found: `user`, then `properties` and the names below. */
export type Path = readonly [root: 'user' | 'group', ...steps: (string | number)[]];

export const COMPARISONS = {
  '==': { words: 'is', value: 'any' },
  '!=': { words: 'is not', value: 'any' },
  '>': { words: 'is more than', value: 'any' },
  '>=': { words: 'is at least', value: 'any' },
  '<': { words: 'is less than', value: 'any' },
  '<=': { words: 'is at most', value: 'any' },
  includes: { words: 'contains', value: 'any' },
  'not includes': { words: 'does not contain', value: 'any' },
  startsWith: { words: 'begins with', value: 'text' },
  'not startsWith': { words: 'does not begin with', value: 'text' },
  endsWith: { words: 'ends with', value: 'text' },
  'not endsWith': { words: 'does not end with', value: 'text' },
  matches: { words: 'matches the pattern', value: 'text' },
  'not matches': { words: 'does not match the pattern', value: 'text' },
  exists: { words: 'is known', value: 'none' },
  'not exists': { words: 'is not known', value: 'none' },
  holds: { words: 'is yes', value: 'none' },
  'not holds': { words: 'is not yes', value: 'none' },
  within: { words: 'is within the last', value: 'time' },
  before: { words: 'is longer ago than', value: 'time' },
} as const satisfies Record<string, { words: string; value: 'any' | 'text' | 'none' | 'time' }>;
export type ComparisonName = keyof typeof COMPARISONS;

export const UNITS = ['days', 'hours', 'minutes'] as const;
export type Unit = (typeof UNITS)[number];

/** One comparison of one property. */
export interface RowContent {
  readonly path: Path;
  readonly comparison: ComparisonName;
  /** Left out where the comparison takes none; a number of units for a length of time. */
  readonly value?: Value;
  readonly unit?: Unit;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Row extends Range, RowContent {
  readonly kind: 'row';
}

/** Whether the user is in a segment (Z6). */
export interface Membership extends Range {
  readonly kind: 'segment';
  readonly name: string;
  readonly isNot: boolean;
}

/** A part that rows cannot express, which is shown as it is written. */
export interface Code extends Range {
  readonly kind: 'code';
}

/** Parts of which all hold, or any; of one part, the next one decides which. */
export interface Group extends Range {
  readonly kind: 'group';
  readonly join: 'and' | 'or';
  readonly hasParentheses: boolean;
  readonly parts: readonly Part[];
  /** The operator between the parts. */
  readonly signs: readonly Range[];
}

export type Part = Row | Membership | Code | Group;
