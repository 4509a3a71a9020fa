import type { PlacedBox, PlacedEdge, Point } from './placement.js';

export interface Bounds {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** What a picture of these has to cover: boxes, labels, and every point of an edge, which may lead around all boxes. */
export function boundsOf(boxes: readonly PlacedBox[], edges: readonly PlacedEdge[]): Bounds {
  const labels = edges.flatMap(({ label, isLoop }) => (label.lines.length > 0 || isLoop ? [label] : []));
  const points = [...[...boxes, ...labels].flatMap(cornersOf), ...edges.flatMap((edge) => edge.points)];
  const [left, right] = extentOf(points.map(({ x }) => x));
  const [top, bottom] = extentOf(points.map(({ y }) => y));
  return { left, top, width: right - left, height: bottom - top };
}

function cornersOf({ x, y, width, height }: Point & { width: number; height: number }): [Point, Point] {
  return [
    { x: x - width / 2, y: y - height / 2 },
    { x: x + width / 2, y: y + height / 2 },
  ];
}

/** Without spreading: a large flow has more points than a call may have arguments. */
function extentOf(values: readonly number[]): [number, number] {
  return values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity]);
}
