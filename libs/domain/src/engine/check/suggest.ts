/** A likely word as a question to end a message with, or nothing: `; did you mean "welcome"?` */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  let best: string | null = null;
  // Two slips in a long word, one in a short one, none in a letter or two.
  let limit = Math.min(2, Math.floor(word.length / 3));
  for (const candidate of candidates) {
    const slips = countSlips(word.toLowerCase(), candidate.toLowerCase(), limit);
    if (slips > limit || (best !== null && slips === limit)) continue;
    best = candidate;
    limit = slips;
  }
  return best === null ? '' : `; did you mean "${best}"?`;
}

/** Letters added, missing, wrong or swapped with their neighbour; any number above the limit once it is passed. */
function countSlips(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) current.push(slipsAt(a, b, row, column, { current, last, beforeLast }));
    if (Math.min(...current) > limit) return limit + 1;
    [beforeLast, last] = [last, current];
  }
  return last[b.length] ?? 0;
}

type Rows = Record<'current' | 'last' | 'beforeLast', readonly number[]>;

function slipsAt(a: string, b: string, row: number, column: number, { current, last, beforeLast }: Rows): number {
  const at = (cells: readonly number[], index: number): number => cells[index] ?? Number.POSITIVE_INFINITY;
  const wrong = at(last, column - 1) + Number(a[row - 1] !== b[column - 1]);
  const swapped =
    a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1] ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY;
  return Math.min(at(last, column) + 1, at(current, column - 1) + 1, wrong, swapped);
}
