/**
 * Texts of others as they may stand on a terminal: control characters are written out, `\u001b`, so that none of them
 * acts. Lines stay lines.
 */
export function plainText(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, writtenOut);
}

/** The same on one line. */
export function plainLine(text: string): string {
  return text.replace(/\p{Cc}/gu, writtenOut);
}

function writtenOut(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
