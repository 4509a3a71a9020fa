import { DomainError, invalidRequest } from '@waymark/domain/database/errors';
import { endOfString } from '@waymark/domain/targeting';

/** What PostgreSQL's `numeric`, and so `jsonb`, can hold. */
const MAX_INTEGER_DIGITS = 131_072;
const MAX_FRACTION_DIGITS = 16_383;
const MAX_EXPONENT = 1_000_000_000;
/**
 * Characters that numbers in exponent form may take when written out, all of a body together: the
 * limit of a body.
 */
const MAX_WRITTEN_OUT = 1_048_576;

const EXPONENT = /\d[eE]/;
const NUMBER = /-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?/y;

/**
 * Refuses numbers that `jsonb` cannot hold, and short ones that would fill the database when
 * written out (U2).
 */
export class NumberCheck {
  private writtenOut = 0;

  constructor(private readonly text: string) {}

  /** Short text without exponents cannot break a limit. */
  static needed(text: string): boolean {
    return text.length > MAX_FRACTION_DIGITS || EXPONENT.test(text);
  }

  /**
   * Checks the number beginning at `start`, if one does, and returns the index of its last
   * character, else `start`.
   */
  skip(start: number): number {
    NUMBER.lastIndex = start;
    const found = NUMBER.exec(this.text);
    if (!found) return start;
    this.check(start, found[1] ?? '', found[2] ?? '', found[3]);
    return NUMBER.lastIndex - 1;
  }

  private check(
    position: number,
    integer: string,
    fraction: string,
    exponent: string | undefined,
  ): void {
    const shift = Number(exponent ?? 0);
    const digits = integer + fraction;
    const leadingZeros = /^0*/.exec(digits)?.[0].length ?? 0;
    const integerDigits =
      leadingZeros === digits.length ? 1 : Math.max(1, integer.length + shift - leadingZeros);
    const fractionDigits = Math.max(0, fraction.length - shift);
    if (
      integerDigits > MAX_INTEGER_DIGITS ||
      fractionDigits > MAX_FRACTION_DIGITS ||
      shift > MAX_EXPONENT
    ) {
      throw invalidRequest(
        `${itemAt(this.text, position)}the number at position ${position} cannot be stored: at most ${MAX_INTEGER_DIGITS} digits before ` +
          `and ${MAX_FRACTION_DIGITS} after the decimal point are allowed`,
      );
    }
    if (exponent !== undefined) this.count(integerDigits + fractionDigits);
  }

  private count(characters: number): void {
    this.writtenOut += characters;
    if (this.writtenOut <= MAX_WRITTEN_OUT) return;
    throw new DomainError(
      'properties.too-large',
      `the numbers in exponent form take more than ${MAX_WRITTEN_OUT} characters when written out`,
    );
  }
}

/**
 * Begins a refusal: `[3]: ` where the body is a list and the position is in its item 3 (U4), else
 * nothing.
 */
export function itemAt(text: string, position: number): string {
  if (!/^\s*\[/.test(text)) return '';
  let index = 0;
  let depth = 0;
  for (let at = 0; at < position; at++) {
    const character = text[at]!;
    if (character === '"') at = endOfString(text, at);
    else if ('[{'.includes(character)) depth++;
    else if (']}'.includes(character)) depth--;
    else if (character === ',' && depth === 1) index++;
  }
  return `[${index}]: `;
}
