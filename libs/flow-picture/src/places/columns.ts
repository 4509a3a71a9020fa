import { alignSpots } from './align.js';
import { bendsToLeave } from './bends.js';
import { compact } from './compact.js';
import type { Grid } from './grid.js';

/**
 * Where each spot stands from left to right, so that edges are straight where they can be: Brandes and Köpf, "Fast and Simple
 * Horizontal Coordinate Assignment". It is done from each of four corners, and the middle of them is taken.
 */
export function findColumns(grid: Grid, rows: readonly (readonly number[])[]): number[] {
  const crossed = bendsToLeave(grid, rows);
  const turned = rows.map((row) => [...row].reverse());
  const all = [true, false].flatMap((isDown) =>
    [false, true].map((isFromRight): Column => {
      const given = isFromRight ? turned : rows;
      const aligned = alignSpots(grid, isDown ? given : [...given].reverse(), isDown, crossed);
      const xs = compact(grid, isDown ? given : [...given].reverse(), aligned);
      return { xs: isFromRight ? xs.map((x) => -x) : xs, isFromRight };
    }),
  );
  const narrowest = all.reduce((best, each) => (widthOf(grid, each) < widthOf(grid, best) ? each : best));
  const [left, right] = extentOf(narrowest.xs);
  const shifted = all.map((each) => {
    if (each === narrowest) return each.xs;
    const [least, most] = extentOf(each.xs);
    const distance = each.isFromRight ? right - most : left - least;
    return each.xs.map((x) => x + distance);
  });
  return grid.widths.map((_, spot) => {
    const xs = shifted.map((each) => each[spot]!).sort((a, b) => a - b);
    return (xs[1]! + xs[2]!) / 2;
  });
}

interface Column {
  xs: Float64Array;
  isFromRight: boolean;
}

function widthOf({ widths }: Grid, { xs }: Column): number {
  const [left] = extentOf(xs.map((x, spot) => x - widths[spot]! / 2));
  const [, right] = extentOf(xs.map((x, spot) => x + widths[spot]! / 2));
  return right - left;
}

function extentOf(values: Float64Array): [least: number, most: number] {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}
