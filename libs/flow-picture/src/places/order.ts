import { countCrossings } from './crossings.js';
import type { Grid } from './grid.js';

/** How often nothing may get better before the search ends. */
const PATIENCE = 4;

/** The spots of each row from left to right, so that few edges cross: each near the middle of what it is joined to. */
export function orderRows(grid: Grid): number[][] {
  const place = new Int32Array(grid.widths.length);
  let rows = firstOrder(grid);
  assign(rows, place);
  let best = rows;
  let fewest = Infinity;
  for (let turn = 0, last = 0; last < PATIENCE; turn += 1, last += 1) {
    rows = sweep(grid, rows, place, turn % 2 === 1, turn % 4 >= 2);
    const crossings = countCrossings(grid, rows, place);
    if (crossings <= fewest) best = rows;
    if (crossings >= fewest) continue;
    last = 0;
    fewest = crossings;
  }
  return best;
}

/** As they are met from above, depth first. */
function firstOrder({ rows, below }: Grid): number[][] {
  const ordered = rows.map((): number[] => []);
  const rowOf = new Int32Array(below.length);
  for (const [row, spots] of rows.entries()) for (const spot of spots) rowOf[spot] = row;
  const isSeen = new Uint8Array(below.length);
  const visit = (spot: number): void => {
    if (isSeen[spot]) return;
    isSeen[spot] = 1;
    ordered[rowOf[spot]!]!.push(spot);
    below[spot]!.forEach(visit);
  };
  rows.forEach((row) => row.forEach(visit));
  return ordered;
}

function assign(rows: readonly (readonly number[])[], place: Int32Array): void {
  for (const row of rows) row.forEach((spot, index) => (place[spot] = index));
}

/** Orders each row by the one before it, once downwards or once upwards; where spots tie, by their numbers or against them. */
function sweep(grid: Grid, before: readonly number[][], place: Int32Array, isDown: boolean, isChanging: boolean): number[][] {
  const rows = [...before];
  const joined = isDown ? grid.above : grid.below;
  const order = isDown ? [...rows.keys()] : [...rows.keys()].reverse();
  const middles = new Float64Array(place.length);
  let sign = -1;
  for (const row of order.slice(1)) {
    if (grid.rows[row]!.length === 1) continue;
    for (const spot of grid.rows[row]!) middles[spot] = middleOf(joined[spot]!, place);
    const { spots, isTied } = sortRow(grid, grid.rows[row]!, middles, sign);
    if (isChanging && isTied) sign = -sign;
    spots.forEach((spot, index) => (place[spot] = index));
    rows[row] = spots;
  }
  return rows;
}

/** Negative where it is joined to nothing. */
function middleOf(joined: readonly number[], place: Int32Array): number {
  let sum = 0;
  for (const spot of joined) sum += place[spot]!;
  return joined.length === 0 ? -1 : sum / joined.length;
}

function sortRow(
  { twins }: Grid,
  row: readonly number[],
  middles: Float64Array,
  sign: number,
): { spots: number[]; isTied: boolean } {
  /** Edges there and back stay side by side: the one back, which has the higher number, follows the other one. */
  const isTogether = (spot: number): boolean =>
    twins[spot]! >= 0 && middles[spot]! > 0 && middles[spot] === middles[twins[spot]!];
  const sorted = row.filter((spot) => middles[spot]! >= 0 && !(twins[spot]! < spot && isTogether(spot)));
  sorted.sort((a, b) => middles[a]! - middles[b]! || sign * (a - b));
  const isTied = sorted.some((spot, index) => index > 0 && middles[spot]! > 0 && middles[spot] === middles[sorted[index - 1]!]);
  const all = sorted.flatMap((spot) => (isTogether(spot) ? [spot, twins[spot]!] : spot));
  return { spots: all.length === row.length ? all : withFree(row, middles, all), isTied };
}

/** What is joined to nothing stays as far to the right as it was. */
function withFree(row: readonly number[], middles: Float64Array, sorted: readonly number[]): number[] {
  const free = [...row.keys()].filter((index) => middles[row[index]!]! < 0);
  const spots: number[] = [];
  let next = 0;
  const takeFree = (): void => {
    while (next < free.length && free[next]! <= spots.length) spots.push(row[free[next++]!]!);
  };
  takeFree();
  for (const spot of sorted) {
    spots.push(spot);
    takeFree();
  }
  return spots;
}
