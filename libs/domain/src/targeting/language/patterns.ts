import { RE2JS, RE2JSException } from 're2js';

export interface Pattern {
  /**
   * Whether the text holds what the pattern describes; false for a text that is too long to look
   * through.
   */
  test(text: string): boolean;
}

const LONGEST_PATTERN = 500;
/** Instructions of a compiled pattern: `(a?b?){1000}` is short to write and slow to run. */
const LARGEST_PATTERN = 2500;
/**
 * Instructions times characters, some 30 ns each where a pattern is hostile: a third of a second
 * for a whole expression.
 */
const MOST_STEPS = 10_000_000;

/** What is wrong with a pattern, and what is allowed. */
export class PatternError extends Error {}

/** The patterns of one expression, which share the time that it may take (S30). */
export class Patterns {
  private instructions = 0;

  /** Throws a `PatternError` when the source is no pattern, or too large a one. */
  compile(source: string): Pattern {
    const { length } = [...source];
    if (length > LONGEST_PATTERN)
      throw new PatternError(
        `found a pattern of ${length} characters, expected at most ${LONGEST_PATTERN}`,
      );
    const pattern = parse(source);
    if (pattern.programSize() > LARGEST_PATTERN)
      throw new PatternError(
        'found a pattern whose repetitions make it too large, expected smaller counts',
      );
    this.instructions += pattern.programSize();
    return { test: (text) => text.length * this.instructions <= MOST_STEPS && pattern.test(text) };
  }
}

function parse(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (error instanceof RE2JSException)
      throw new PatternError(`expected a pattern in RE2 syntax, found ${error.message}`);
    throw error;
  }
}
