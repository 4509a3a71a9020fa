import type { Bends } from './bends.js';
import type { Grid } from './grid.js';

/** Of each spot, the first of those that stand in one column with it. */
export function alignSpots(
  { above, below }: Grid,
  rows: readonly (readonly number[])[],
  isDown: boolean,
  bends: Bends,
): Int32Array {
  const joined = isDown ? above : below;
  const first = Int32Array.from(joined, (_, spot) => spot);
  const isTaken = new Uint8Array(joined.length);
  const place = new Int32Array(joined.length);
  for (const row of rows) row.forEach((spot, index) => (place[spot] = index));
  for (const row of rows) {
    let last = -1;
    for (const spot of row) {
      for (const other of middlesOf(joined[spot]!, place)) {
        if (isTaken[spot] || place[other]! <= last || (isDown ? bends(other, spot) : bends(spot, other))) continue;
        isTaken[spot] = 1;
        first[spot] = first[other]!;
        last = place[other]!;
      }
    }
  }
  return first;
}

/** The one in the middle, or both. */
function middlesOf(joined: readonly number[], place: Int32Array): readonly number[] {
  if (joined.length < 2) return joined;
  const middle = (joined.length - 1) / 2;
  return [...joined].sort((a, b) => place[a]! - place[b]!).slice(Math.floor(middle), Math.ceil(middle) + 1);
}
