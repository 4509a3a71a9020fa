/**
 * Gives a likely word as a question to end a message with, or nothing: `; did you mean "welcome"?`
 */
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
    const slips = countTypos(word.toLowerCase(), candidate.toLowerCase(), limit);
    if (slips > limit || (best !== null && slips === limit)) continue;
    best = candidate;
    limit = slips;
  }
  return best === null ? '' : `; did you mean "${best}"?`;
}

/**
 * Letters added, missing, wrong or swapped with their neighbour; Infinity for more than so many.
 * What the words have in common is passed over at once, and each slip is tried where they part: the
 * time follows their length, not its square.
 */
function countTypos(a: string, b: string, most: number): number {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  const [left, right] = [a.slice(same), b.slice(same)];
  if (left === right) return 0;
  if (most === 0) return Number.POSITIVE_INFINITY;
  const isSwapped = left.length > 1 && left[0] === right[1] && left[1] === right[0];
  const ways = [[1, 1], [1, 0], [0, 1], ...(isSwapped ? [[2, 2]] : [])] as const;
  return (
    1 +
    Math.min(
      ...ways.map(([one, other]) => countTypos(left.slice(one), right.slice(other), most - 1)),
    )
  );
}
