import { invalidRequest } from '@waymark/domain/errors';
import { itemAt } from './item-at.js';

const ESCAPE = /\\(?:u([0-9a-f]{4})|[^u])/gi;

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/**
 * Refuses text that PostgreSQL cannot hold, in keys and values: U+0000 and lone surrogates (W7). Only escapes can spell
 * them: valid UTF-8 has no surrogates, valid JSON no raw control characters. Wants text that parsed as JSON.
 */
export function checkEscapes(text: string): void {
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
  throw invalidRequest(`${itemAt(text, position)}the body holds ${what} at position ${position}, which cannot be stored as text`);
}
