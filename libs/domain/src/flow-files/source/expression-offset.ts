import type { Scalar } from 'yaml';

const ESCAPED_SPACE = /^\\[\sntrv_LPf]/;
const PIECES = {
  QUOTE_DOUBLE: /\\(?:x..|u.{4}|U.{8}|[^])|[^\s\\]/g,
  QUOTE_SINGLE: /''|\S/g,
  PLAIN: /\S/g,
};

/**
 * Offset in the file of a line and column of a text, in any of YAML's styles. Folding and indenting
 * change white space only, so the nth other character of the text is the nth other character of the
 * file.
 */
export function expressionOffset(
  file: string,
  scalar: Scalar,
  at: { readonly line: number; readonly column: number },
): number {
  const text = String(scalar.value);
  const lines = text.split('\n').slice(0, at.line - 1);
  const index = lines.reduce((sum, line) => sum + line.length + 1, at.column - 1);
  const before = text.slice(0, index).replace(/\s/g, '').length;
  const [start, end] = scalar.range!;
  const body = start + headerLength(file.slice(start, end), scalar.type);
  return skip(file.slice(body, end), before, scalar.type) + body;
}

/** A quote, or the line of `|` or `>`. */
function headerLength(raw: string, style: Scalar.Type | undefined | null): number {
  if (style === 'BLOCK_LITERAL' || style === 'BLOCK_FOLDED') return raw.indexOf('\n') + 1;
  return style === 'QUOTE_DOUBLE' || style === 'QUOTE_SINGLE' ? 1 : 0;
}

/**
 * Where in `raw` its character number `count` begins, white space not counted and an escape counted
 * as what it stands for.
 */
function skip(raw: string, count: number, style: Scalar.Type | undefined | null): number {
  let left = count;
  const pieces = PIECES[style === 'QUOTE_DOUBLE' || style === 'QUOTE_SINGLE' ? style : 'PLAIN'];
  for (const { 0: piece, index } of raw.matchAll(pieces)) {
    if (ESCAPED_SPACE.test(piece)) continue;
    if (left === 0) return index;
    left -= 1;
  }
  return raw.trimEnd().length;
}
