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
      const compacted = compact(grid, isDown ? given : [...given].reverse(), aligned);
      const xs = isFromRight ? compacted.map((x) => -x) : compacted;
      return { xs, isFromRight, width: widthOf(grid, xs) };
    }),
  );
  const narrowest = all.reduce((best, each) => (each.width < best.width ? each : best));
  const [left, right] = extentOf(narrowest.xs);
  const shifted = all.map((each) => {
    if (each === narrowest) return each.xs;
    const [least, most] = extentOf(each.xs);
    const distance = each.isFromRight ? right - most : left - least;
    return each.xs.map((x) => x + distance);
  });
  const [one, two, three, four] = shifted as [Float64Array, Float64Array, Float64Array, Float64Array];
  return grid.widths.map((_, spot) => middleOf(one[spot]!, two[spot]!, three[spot]!, four[spot]!));
}

interface Column {
  xs: Float64Array;
  isFromRight: boolean;
  width: number;
}

/** Between the two in the middle. */
function middleOf(one: number, two: number, three: number, four: number): number {
  const lower = Math.max(Math.min(one, two), Math.min(three, four));
  const upper = Math.min(Math.max(one, two), Math.max(three, four));
  return (lower + upper) / 2;
}

function widthOf({ widths }: Grid, xs: Float64Array): number {
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
