const NARROW = /[iljtfrI.,:;'"|!()[\]{}/\\ ]/u;
const WIDE = /[mwMW@%—…]/u;
const FULL_WIDTH =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;
const ELLIPSIS = '…';

/** Width of a text in the common sans-serif fonts, rather too wide than too narrow. */
export function textWidth(text: string, size: number, isBold = false): number {
  const units = [...text].reduce((sum, character) => sum + characterWidth(character), 0);
  return units * size * (isBold ? 1.07 : 1);
}

/** By character: a picture has few of them, many times over. */
const widths = new Map<string, number>();

function characterWidth(character: string): number {
  const width = widths.get(character) ?? measure(character);
  widths.set(character, width);
  return width;
}

function measure(character: string): number {
  if (FULL_WIDTH.test(character)) return 1.15;
  if (NARROW.test(character)) return 0.34;
  if (WIDE.test(character)) return 0.92;
  return /\p{Lu}/u.test(character) ? 0.7 : 0.57;
}

/**
 * Lines that fit: one width for each line that there may be. What does not fit ends in an ellipsis.
 */
export function wrapText(text: string, widths: readonly number[], size: number): string[] {
  const words = text.trim().split(/\s+/u).filter(Boolean);
  const lines: string[] = [];
  while (words.length > 0 && lines.length < widths.length)
    lines.push(takeLine(words, widths[lines.length]!, size));
  if (words.length === 0) return lines;
  const last = lines.length - 1;
  return [
    ...lines.slice(0, last),
    ellipsize(`${lines[last]} ${words.join(' ')}`, widths[last]!, size),
  ];
}

/** Takes from `words` what fits on a line; a word wider than a line is broken. */
function takeLine(words: string[], width: number, size: number): string {
  let line = words.shift()!;
  while (words.length > 0 && textWidth(`${line} ${words[0]}`, size) <= width)
    line += ` ${words.shift()}`;
  if (textWidth(line, size) <= width) return line;
  const head = fitting(line, width, size);
  words.unshift(line.slice(head.length));
  return head;
}

/** The whole text, or as much of it as fits with an ellipsis behind. */
export function ellipsize(text: string, width: number, size: number): string {
  if (textWidth(text, size) <= width) return text;
  return fitting(text, width - textWidth(ELLIPSIS, size), size).trimEnd() + ELLIPSIS;
}

/** The longest beginning that fits, one character at least. */
function fitting(text: string, width: number, size: number): string {
  let fits = '';
  for (const character of text) {
    if (fits !== '' && textWidth(fits + character, size) > width) break;
    fits += character;
  }
  return fits;
}
