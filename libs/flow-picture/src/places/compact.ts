import type { Grid } from './grid.js';

/** Between two boxes, and between two edges, in pixels. */
const GAPS = { box: 40, edge: 24 };

/** Columns as far to the left as they can stand side by side, then each as near to its right neighbours as these allow. */
export function compact({ boxes, widths }: Grid, rows: readonly (readonly number[])[], columnOf: Int32Array): Float64Array {
  const halfGap = (spot: number): number => (spot < boxes ? GAPS.box : GAPS.edge) / 2;
  const right = Array.from(columnOf, (): Neighbour[] => []);
  const waitsFor = new Int32Array(columnOf.length);
  for (const row of rows) {
    for (let index = 1; index < row.length; index += 1) {
      const [before, spot] = [row[index - 1]!, row[index]!];
      const distance = widths[spot]! / 2 + halfGap(spot) + halfGap(before) + widths[before]! / 2;
      right[columnOf[before]!]!.push({ column: columnOf[spot]!, distance });
      waitsFor[columnOf[spot]!]! += 1;
    }
  }
  const xs = new Float64Array(columnOf.length);
  const order = [...columnOf.keys()].filter((spot) => columnOf[spot] === spot && waitsFor[spot] === 0);
  for (const column of order) {
    for (const { column: next, distance } of right[column]!) {
      xs[next] = Math.max(xs[next]!, xs[column]! + distance);
      waitsFor[next]! -= 1;
      if (waitsFor[next] === 0) order.push(next);
    }
  }
  for (const column of order.reverse()) {
    const nearest = right[column]!.reduce((least, { column: next, distance }) => Math.min(least, xs[next]! - distance), Infinity);
    if (nearest !== Infinity) xs[column] = Math.max(xs[column]!, nearest);
  }
  return xs.map((_, spot) => xs[columnOf[spot]!]!);
}

interface Neighbour {
  column: number;
  distance: number;
}
