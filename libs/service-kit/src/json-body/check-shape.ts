import { invalidRequest } from '@waymark/domain/errors';
import { endOfString } from '@waymark/domain/json';
import { NumberCheck } from './number-check.js';
import { itemAt } from './item-at.js';

/** Objects and arrays may nest this deep, the body itself being level 1 (W7). */
export const MAX_DEPTH = 64;

/**
 * One pass over the text, without recursion and before anything is built: nesting (W7) and numbers (U2). Text that is
 * not JSON may pass; it is refused by the parser afterwards.
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
