/** Gives a likely word as a question to end a message with, or nothing: `; did you mean "welcome"?` */
export type Suggest = (word: string) => string;

/** More than anybody reads; a file that is wrong throughout must not take seconds. */
const MAX_WORDS = 100;

/** Suggests one of the candidates for each of up to 100 different words. */
export function suggestFrom(candidates: Iterable<string>): Suggest {
  const words = [...candidates];
  const given = new Map<string, string>();
  return (word) => {
    if (!given.has(word) && given.size < MAX_WORDS) given.set(word, didYouMean(word, words));
    return given.get(word) ?? '';
  };
}

/** The closest candidate, the first of equals. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  let best: string | null = null;
  // Two slips in a long word, one in a short one, none in a letter or two.
  let limit = Math.min(2, Math.floor(word.length / 3));
  for (const candidate of candidates) {
    if (Math.abs(word.length - candidate.length) > limit) continue;
    const slips = countSlips(word.toLowerCase(), candidate.toLowerCase());
    if (slips > limit || (best !== null && slips === limit)) continue;
    best = candidate;
    limit = slips;
  }
  return best === null ? '' : `; did you mean "${best}"?`;
}

/** Letters added, missing, wrong or swapped with their neighbour. */
function countSlips(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) current.push(slipsAt(a, b, row, column, { current, last, beforeLast }));
    [beforeLast, last] = [last, current];
  }
  return last[b.length] ?? 0;
}

type Rows = Record<'current' | 'last' | 'beforeLast', readonly number[]>;

function slipsAt(a: string, b: string, row: number, column: number, { current, last, beforeLast }: Rows): number {
  const at = (cells: readonly number[], index: number): number => cells[index] ?? Number.POSITIVE_INFINITY;
  const wrong = at(last, column - 1) + Number(a[row - 1] !== b[column - 1]);
  const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
  const swapped = isSwapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY;
  return Math.min(at(last, column) + 1, at(current, column - 1) + 1, wrong, swapped);
}
