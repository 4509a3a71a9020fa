import { isUtf8 } from 'node:buffer';
import { type Json, endOfString } from '@waymark/domain/targeting';
import { invalidRequest } from '@waymark/domain/database/errors';
import { itemAt, NumberCheck } from './number-check.js';

/**
 * A request body as data, and as its text: what is stored is sliced from the text, so that no
 * number loses digits.
 */
interface JsonBody {
  readonly value: Json;
  readonly text: string;
}

const ESCAPE = /\\(?:u([0-9a-f]{4})|[^u])/gi;

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Objects and arrays may nest this deep, the body itself being level 1 (W7). */
const MAX_DEPTH = 64;

/**
 * Reads a JSON body under the limits of W7. Throws `request.invalid` for bytes that are not UTF-8,
 * text that is not JSON, nesting below level 64, text or numbers that PostgreSQL cannot hold, and
 * `properties.too-large` for numbers in exponent form that take more than 1 MiB written out.
 */
export function parseJsonBody(bytes: Buffer): JsonBody {
  if (!isUtf8(bytes)) throw invalidRequest('the body is not valid UTF-8');
  const text = bytes.toString('utf8');
  // The shape comes first: it refuses 500,000 levels without building them.
  checkShape(text);
  const value = parse(text);
  checkEscapes(text);
  return { value, text };
}

/**
 * One pass over the text, without recursion and before anything is built: nesting (W7) and numbers
 * (U2). Text that is not JSON may pass; it is refused by the parser afterwards.
 */
export function checkShape(text: string): void {
  const numbers = NumberCheck.needed(text) ? new NumberCheck(text) : undefined;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22 /* " */:
        at = endOfString(text, at);
        break;
      case 0x5b /* [ */:
      case 0x7b /* { */:
        if (++depth > MAX_DEPTH) refuseDepth(text, at);
        break;
      case 0x5d /* ] */:
      case 0x7d /* } */:
        depth--;
        break;
      default:
        if (numbers) at = numbers.skip(at);
    }
  }
}

function refuseDepth(text: string, position: number): never {
  throw invalidRequest(
    `${itemAt(text, position)}the body nests deeper than ${MAX_DEPTH} levels at position ${position}, at most ${MAX_DEPTH} are allowed`,
  );
}

/**
 * Refuses text that PostgreSQL cannot hold, in keys and values: U+0000 and lone surrogates (W7).
 * Only escapes can spell them: valid UTF-8 has no surrogates, valid JSON no raw control characters.
 * Wants text that parsed as JSON.
 */
function checkEscapes(text: string): void {
  if (!text.includes('\\u')) return;
  /** Where a low surrogate must follow, as an escape of its own. */
  let lowDueAt = -1;
  for (const { 1: digits, index } of text.matchAll(ESCAPE)) {
    if (digits === undefined) continue;
    const unit = Number.parseInt(digits, 16);
    if (unit === 0) refuse(text, 'U+0000', index);
    const paired = isLow(unit) && lowDueAt === index;
    if (isLow(unit) && !paired) refuse(text, 'a lone surrogate', index);
    if (lowDueAt >= 0 && !paired) refuse(text, 'a lone surrogate', lowDueAt - digits.length - 2);
    lowDueAt = isHigh(unit) ? index + digits.length + 2 : -1;
  }
  if (lowDueAt >= 0) refuse(text, 'a lone surrogate', lowDueAt - 6);
}

function refuse(text: string, what: string, position: number): never {
  throw invalidRequest(
    `${itemAt(text, position)}the body holds ${what} at position ${position}, which cannot be stored as text`,
  );
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw invalidRequest(`the body is not valid JSON: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
