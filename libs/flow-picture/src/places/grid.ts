import { closingEdges } from './closing-edges.js';
import { findRows } from './rows.js';
import type { Unplaced } from './unplaced.js';

/** Boxes in rows, and in each row between its ends a spot for every edge that passes it. Spots are numbered, boxes first. */
export interface Grid {
  readonly boxes: number;
  /** The spots of each row, by number. */
  readonly rows: readonly (readonly number[])[];
  readonly widths: number[];
  readonly heights: number[];
  /** What a spot is joined to in the row above, and in the row below. */
  readonly above: number[][];
  readonly below: number[][];
  /** Of each edge, from top to bottom, the spots that it passes. */
  readonly passed: readonly (readonly number[])[];
  /** The spot that has the label of the edge; undefined where it has none. */
  readonly labelled: readonly (number | undefined)[];
  /** Edges that lead up. */
  readonly isTurned: readonly boolean[];
  /** The spots in one row of two edges that lead there and back between the same boxes, each the other's twin; -1 for others. */
  readonly twins: Int32Array;
}

export function gridOf({ boxes, edges }: Unplaced): Grid {
  const closing = closingEdges(boxes.length, edges);
  const isTurned = edges.map(() => false);
  for (const number of closing) isTurned[number] = true;
  const ends = edges.map(([from, to], number): [top: number, bottom: number] => (isTurned[number] ? [to, from] : [from, to]));
  const numbers = [...edges.keys()].filter((number) => !isTurned[number]).concat(closing);
  const rowOf = findRows(
    boxes.length,
    numbers.map((number) => ends[number]!),
  );
  const [widths, heights] = [boxes.map(([width]) => width), boxes.map(([, height]) => height)];
  const [above, below] = [boxes.map((): number[] => []), boxes.map((): number[] => [])];
  const join = (upper: number, lower: number): void => {
    below[upper]!.push(lower);
    above[lower]!.push(upper);
  };
  const addSpot = (row: number, width: number, height: number): number => {
    widths.push(width);
    heights.push(height);
    above.push([]);
    below.push([]);
    return rowOf.push(row) - 1;
  };
  const passed = edges.map((): number[] => []);
  const labelled = edges.map((): number | undefined => undefined);
  for (const number of numbers) {
    const [top, bottom] = ends[number]!;
    const [, , width, height] = edges[number]!;
    const middle = width > 0 && height > 0 ? (rowOf[top]! + rowOf[bottom]!) / 2 : undefined;
    let last = top;
    for (let row = rowOf[top]! + 1; row < rowOf[bottom]!; row += 1) {
      const spot = row === middle ? (labelled[number] = addSpot(row, width, height)) : addSpot(row, 0, 0);
      passed[number]!.push(spot);
      join(last, spot);
      last = spot;
    }
    join(last, bottom);
  }
  const rows = Array.from({ length: rowOf.reduce((most, row) => Math.max(most, row), 0) + 1 }, (): number[] => []);
  for (const [spot, row] of rowOf.entries()) rows[row]!.push(spot);
  const twins = twinsAmong(rowOf.length, closing, { edges, passed, labelled });
  return { boxes: boxes.length, rows, widths, heights, above, below, passed, labelled, isTurned, twins };
}

function twinsAmong(
  spots: number,
  turned: readonly number[],
  { edges, passed, labelled }: Pick<Grid, 'passed' | 'labelled'> & Pick<Unplaced, 'edges'>,
): Int32Array {
  const twins = new Int32Array(spots).fill(-1);
  const numbers = new Map(edges.map(([from, to], number) => [`${from} ${to}`, number]));
  for (const number of turned) {
    const [from, to] = edges[number]!;
    const other = numbers.get(`${to} ${from}`);
    if (other === undefined) continue;
    for (const [index, spot] of passed[number]!.entries()) {
      const twin = passed[other]![index]!;
      if (spot === labelled[number] || twin === labelled[other]) continue;
      twins[spot] = twin;
      twins[twin] = spot;
    }
  }
  return twins;
}
