import { endOfString } from '@waymark/domain/json';

/** Begins a refusal: `[3]: ` where the body is a list and the position is in its item 3 (U4), else nothing. */
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
