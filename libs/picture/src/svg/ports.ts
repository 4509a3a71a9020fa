import type { PlacedBox, Placement, Point } from './placement.js';

/** Keeps arrows off the corners of boxes. */
const CORNER = 18;
/** Between two arrows at the same side of a box, where there is room. */
const GAP = 18;

interface End {
  box: PlacedBox;
  /** Below the box (1) or above it (-1). */
  side: 1 | -1;
  /** The next point of the edge, which it comes from or goes to. */
  next: Point;
  /** Distance from the middle of the box. */
  offset: number;
}

/**
 * Both ends of every edge on the outlines of its boxes, side by side where several meet. Loops stay
 * as they are.
 */
export function placePorts(edges: readonly Placement[]): { start: Point; end: Point }[] {
  const ends = edges.map(({ from, to, points }) => {
    const down = points[0]!.y <= points.at(-1)!.y ? 1 : -1;
    return {
      start: endAt(from, down, points[1]!),
      end: endAt(to, down === 1 ? -1 : 1, points.at(-2)!),
    };
  });
  const meeting = new Map<string, End[]>();
  for (const end of ends.flatMap(({ start, end }) => [start, end])) {
    const key = `${end.side} ${end.box.key}`;
    meeting.set(key, [...(meeting.get(key) ?? []), end]);
  }
  for (const all of meeting.values()) spread(all);
  return ends.map(({ start, end }) => ({ start: pointOf(start), end: pointOf(end) }));
}

function endAt(box: PlacedBox, side: 1 | -1, next: Point): End {
  const rise = Math.max(1, Math.abs(next.y - box.y));
  const towards = ((next.x - box.x) * box.height) / 2 / rise;
  const reach = reachOf(box);
  return { box, side, next, offset: Math.max(-reach, Math.min(reach, towards)) };
}

/**
 * Moves ends apart that meet at one side, in the order in which their edges come from left to
 * right.
 */
function spread(ends: End[]): void {
  const reach = reachOf(ends[0]!.box);
  const gap = Math.min(GAP, (2 * reach) / Math.max(1, ends.length - 1));
  ends.sort((a, b) => a.next.x - b.next.x);
  for (const [index, end] of ends.entries()) {
    if (index > 0) end.offset = Math.max(end.offset, ends[index - 1]!.offset + gap);
  }
  let limit = reach;
  for (const end of ends.reverse()) {
    end.offset = Math.min(end.offset, limit);
    limit = end.offset - gap;
  }
}

function reachOf({ node, width }: PlacedBox): number {
  if (node.kind === 'branch') return (width / 2) * 0.5;
  return Math.max(0, width / 2 - CORNER);
}

function pointOf({ box, side, offset }: End): Point {
  return { x: box.x + offset, y: box.y + side * outline(box, offset) };
}

/** Half the height of the outline at a distance from the middle. */
function outline({ node, width, height }: PlacedBox, offset: number): number {
  if (node.kind === 'branch') return (height / 2) * (1 - Math.abs(offset) / (width / 2));
  if (node.kind === 'start' || node.kind === 'finish')
    return Math.sqrt((height / 2) ** 2 - offset ** 2);
  return height / 2;
}
