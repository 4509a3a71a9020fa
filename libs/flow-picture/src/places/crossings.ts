import type { Grid } from './grid.js';

/** How often edges cross each other between rows, after Barth, Jünger and Mutzel, "Simple and Efficient Bilayer Cross Counting". */
export function countCrossings({ below }: Grid, rows: readonly (readonly number[])[], place: Int32Array): number {
  const widest = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const counts = new Int32Array(widest + 1);
  let crossings = 0;
  for (const row of rows) {
    if (row.length < 2) continue;
    counts.fill(0);
    let seen = 0;
    for (const spot of row) {
      const ends = below[spot]!;
      // Edges that leave one spot do not cross.
      for (const end of ends) crossings += seen - countUpTo(counts, place[end]! + 1);
      for (const end of ends) add(counts, place[end]! + 1);
      seen += ends.length;
    }
  }
  return crossings;
}

/** Counts in a Fenwick tree. */
function add(counts: Int32Array, at: number): void {
  for (let index = at; index < counts.length; index += index & -index) counts[index]! += 1;
}

function countUpTo(counts: Int32Array, at: number): number {
  let sum = 0;
  for (let index = at; index > 0; index -= index & -index) sum += counts[index]!;
  return sum;
}
