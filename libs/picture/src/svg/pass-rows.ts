import type { PlacedBox, Placement, Point } from './placement.js';

/**
 * Leads edges straight past the boxes of a row, which may be higher than those they come from or go
 * to: they lean over between two rows only, where no box is in their way. Loops stay as they are.
 */
export function passRows<Edge extends Placement>(
  edges: readonly Edge[],
  boxes: readonly PlacedBox[],
): Edge[] {
  const heights = new Map<number, number>();
  for (const { y, height } of boxes)
    heights.set(rowAt(y), Math.max(height, heights.get(rowAt(y)) ?? 0));
  return edges.map((edge) => ({
    ...edge,
    points: pointsPast(edge, (y) => (heights.get(rowAt(y)) ?? 0) / 2),
  }));
}

/**
 * Boxes of a row have their centres at one height, and so have the points of edges that pass it.
 */
function rowAt(y: number): number {
  return Math.round(y);
}

function pointsPast({ from, to, points }: Placement, halfHeight: (y: number) => number): Point[] {
  const [start, end] = [points[0]!, points.at(-1)!];
  const down = Math.sign(end.y - start.y);
  const past = ({ x, y }: Point): Point[] => {
    const half = halfHeight(y) * down;
    return half === 0
      ? [{ x, y }]
      : [
          { x, y: y - half },
          { x, y: y + half },
        ];
  };
  /** The border of the row of a box, where other boxes of the row are higher. */
  const border = ({ x }: Point, { y, height }: PlacedBox, side: number): Point[] =>
    halfHeight(y) > height / 2 ? [{ x, y: y + halfHeight(y) * down * side }] : [];
  return [
    start,
    ...border(start, from, 1),
    ...points.slice(1, -1).flatMap(past),
    ...border(end, to, -1),
    end,
  ];
}
