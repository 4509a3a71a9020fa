import dagre from '@dagrejs/dagre';
import { RecentlyUsed } from '@waymark/domain/memory';
import type { Point } from './placement.js';

/** What has to be placed, by numbers alone: boxes of one room and paths of one course have one arrangement, however they are called. */
export interface Unplaced {
  readonly boxes: readonly (readonly [width: number, height: number])[];
  readonly edges: readonly (readonly [from: number, to: number, width: number, height: number])[];
}

/** A place for each box and each edge, in their order. */
export interface Places {
  readonly boxes: readonly Point[];
  readonly edges: readonly { readonly points: Point[]; readonly label: Point }[];
}

/** From here on the tidiest ranks take too long to find. */
const MANY_BOXES = 200;

/** What was arranged last, some megabytes of it; weighed by boxes and edges. Nobody changes one. */
const arranged = new RecentlyUsed<Places>(20_000);

/**
 * Finding the places takes most of the time of a picture, and whoever types a text seldom changes the room of a box: what was
 * arranged last is not arranged again (T9).
 */
export function arrange(unplaced: Unplaced): Places {
  const key = JSON.stringify(unplaced);
  const known = arranged.find(key);
  if (known) return known;
  const places = find(unplaced);
  arranged.set(key, places, unplaced.boxes.length + unplaced.edges.length);
  return places;
}

function find({ boxes, edges }: Unplaced): Places {
  const layout = new dagre.graphlib.Graph();
  const ranker = boxes.length > MANY_BOXES ? 'tight-tree' : 'network-simplex';
  layout.setGraph({ rankdir: 'TB', nodesep: 40, edgesep: 24, ranksep: 56, ranker });
  for (const [number, [width, height]] of boxes.entries()) layout.setNode(nameOf(number), { width, height });
  for (const [from, to, width, height] of edges) layout.setEdge(nameOf(from), nameOf(to), { width, height, labelpos: 'c' });
  dagre.layout(layout);
  return {
    boxes: boxes.map((_, number) => {
      const { x, y } = layout.node(nameOf(number)) as Point;
      return { x, y };
    }),
    edges: edges.map(([from, to]) => {
      const { points, x = 0, y = 0 } = layout.edge(nameOf(from), nameOf(to)) as { points: Point[] } & Partial<Point>;
      return { points, label: { x, y } };
    }),
  };
}

/** With a letter: an object would sort numbers. */
function nameOf(number: number): string {
  return `n${number}`;
}
