import { EDGE, FAINT_INK, PAPER } from '../graph/palette.js';
import { widthOf } from '../graph/edge-width.js';
import { SIZES } from './box.js';
import { element, textElement, tooltip } from './element.js';
import type { PlacedEdge } from './placement.js';
import type { Point } from './placement.js';

/** A path between two boxes, as an SVG curve with an arrow. */
export function drawEdge({ edge, points, isBack, isLoop }: PlacedEdge): string {
  const d = isLoop ? loop(points) : curve(points);
  const dashes = isBack ? '5 4' : undefined;
  return element('path', {
    // For pages that let people do something with a path.
    'data-from': edge.from,
    'data-to': edge.to,
    d,
    fill: 'none',
    stroke: EDGE,
    'stroke-width': widthOf(edge),
    'stroke-dasharray': dashes,
    'marker-end': 'url(#arrow)',
  });
}

/** The names of a path, on paper so that they can be read over lines. */
export function drawLabel({ edge, label }: PlacedEdge): string {
  if (label.lines.length === 0) return '';
  const { x, y, width, height, lines } = label;
  const box = element('rect', {
    x: x - width / 2,
    y: y - height / 2,
    width,
    height,
    rx: 8,
    fill: PAPER,
  });
  const texts = lines.map((line, index) =>
    textElement(line, {
      x,
      y: y - height / 2 + 14 + index * 14,
      'text-anchor': 'middle',
      'font-size': SIZES.edge,
      fill: FAINT_INK,
    }),
  );
  return element('g', {}, [
    tooltip(`${edge.from} → ${edge.to}: ${edge.names.join(', ')}`),
    box,
    ...texts,
  ]);
}

/** Through every point, straight down at each: it leans over between them only. */
function curve(points: readonly Point[]): string {
  const [first, ...rest] = points;
  let last = first!;
  const parts = rest.map((point) => {
    const middle = (last.y + point.y) / 2;
    const part = `C${round(last.x)} ${round(middle)} ${round(point.x)} ${round(middle)} ${round(point.x)} ${round(point.y)}`;
    last = point;
    return part;
  });
  return `M${round(first!.x)} ${round(first!.y)}${parts.join('')}`;
}

function loop([first, last]: readonly Point[]): string {
  const reach = first!.x + 34;
  const out = `${round(reach)} ${round(first!.y - 10)}`;
  const back = `${round(reach)} ${round(last!.y + 10)}`;
  return `M${round(first!.x)} ${round(first!.y)}C${out} ${back} ${round(last!.x)} ${round(last!.y)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
