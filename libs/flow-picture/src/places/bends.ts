import type { Grid } from './grid.js';

/** Tells whether what joins an upper spot with a lower one has to bend, since it crosses the course of a long edge. */
export type Bends = (upper: number, lower: number) => boolean;

export function bendsToLeave(grid: Grid, rows: readonly (readonly number[])[]): Bends {
  const { boxes, above } = grid;
  const spots = above.length;
  const bends = new Set<number>();
  const place = new Int32Array(spots);
  for (const row of rows) row.forEach((spot, index) => (place[spot] = index));
  for (const [index, row] of rows.entries()) {
    if (index === 0) continue;
    let from = 0;
    let scanned = 0;
    for (const [at, spot] of row.entries()) {
      const course = spot < boxes ? undefined : above[spot]!.find((upper) => upper >= boxes);
      if (course === undefined && at < row.length - 1) continue;
      const to = course === undefined ? rows[index - 1]!.length : place[course]!;
      for (const lower of row.slice(scanned, at + 1)) {
        for (const upper of above[lower]!) {
          const isOutside = place[upper]! < from || to < place[upper]!;
          if (isOutside && (upper < boxes || lower < boxes)) bends.add(upper * spots + lower);
        }
      }
      scanned = at + 1;
      from = to;
    }
  }
  return (upper, lower) => bends.has(upper * spots + lower);
}
