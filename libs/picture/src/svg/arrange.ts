import { Graph, layout } from '@dagrejs/dagre';
import { RecentlyUsed } from '@waymark/domain/targeting';
import type { Point } from './placement.js';

/**
 * What has to be placed, by numbers alone: boxes of one size and paths of one course have one
 * arrangement, however they are called.
 */
export interface Unplaced {
  readonly boxes: readonly (readonly [width: number, height: number])[];
  /**
   * From one box to another one, with the room of its label; no two of them from and to the same
   * boxes.
   */
  readonly edges: readonly (readonly [from: number, to: number, width: number, height: number])[];
}

/**
 * A place for each box and each edge, in their order: centres, and the points that an edge passes,
 * from box to box.
 */
interface Places {
  readonly boxes: readonly Point[];
  readonly edges: readonly { readonly points: Point[]; readonly label: Point }[];
}

/** With more boxes than this, network simplex takes many seconds. */
const MANY_BOXES = 200;

/**
 * What was arranged last, some megabytes of it; weighed by boxes and edges. They are never changed.
 */
const arranged = new RecentlyUsed<Places>(20_000);

/**
 * Arranging takes most of the time of a picture, and typing seldom changes the size of a box: what
 * was arranged last is not arranged again (T9).
 */
export function arrange(unplaced: Unplaced): Places {
  const key = JSON.stringify(unplaced);
  const known = arranged.find(key);
  if (known) return known;
  const places = findPlaces(unplaced);
  arranged.set(key, places, unplaced.boxes.length + unplaced.edges.length);
  return places;
}

function findPlaces({ boxes, edges }: Unplaced): Places {
  const graph = new Graph();
  const ranker = boxes.length > MANY_BOXES ? 'tight-tree' : 'network-simplex';
  graph.setGraph({ rankdir: 'TB', nodesep: 40, edgesep: 24, ranksep: 56, ranker });
  for (const [number, [width, height]] of boxes.entries())
    graph.setNode(nameOf(number), { width, height });
  for (const [from, to, width, height] of edges)
    graph.setEdge(nameOf(from), nameOf(to), { width, height, labelpos: 'c' });
  layout(graph);
  return {
    boxes: boxes.map((_, number) => pointOf(graph.node(nameOf(number)) as Point)),
    edges: edges.map(([from, to]) => {
      const edge = graph.edge(nameOf(from), nameOf(to)) as { points: Point[] } & Partial<Point>;
      return { points: edge.points, label: pointOf(edge) };
    }),
  };
}

/** An edge without a label has no place for one. */
function pointOf({ x = 0, y = 0 }: Partial<Point>): Point {
  return { x, y };
}

/** With a letter: objects sort keys that are numbers, and dagre keeps boxes in objects. */
function nameOf(number: number): string {
  return `n${number}`;
}
