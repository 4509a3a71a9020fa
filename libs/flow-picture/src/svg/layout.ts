import dagre from '@dagrejs/dagre';
import { RecentlyUsed } from '@waymark/domain/memory';
import type { FlowGraph, GraphEdge } from '../graph/flow-graph.js';
import { type Bounds, boundsOf } from './bounds.js';
import { type Box, boxOf, SIZES } from './box.js';
import { passRows } from './pass-rows.js';
import type { Label, PlacedBox, PlacedEdge, Point } from './placement.js';
import { placePorts } from './ports.js';
import { textWidth, wrapText } from './text-width.js';

export interface Layout {
  bounds: Bounds;
  boxes: PlacedBox[];
  edges: PlacedEdge[];
}

const LABEL_WIDTH = 170;
const LABEL_LINES = 4;
/** How far a loop reaches out of its box, without its label. */
const LOOP_REACH = 30;
/** From here on the tidiest ranks take too long to find. */
const MANY_NODES = 200;

/** Places every box and leads every edge, from top to bottom, labels between the boxes. */
export function layOut(graph: FlowGraph): Layout {
  const labels = new Map(graph.edges.map((edge) => [edge, labelOf(edge)]));
  const [loops, straight] = [graph.edges.filter(isLoop), graph.edges.filter((edge) => !isLoop(edge))];
  const room = new Map(loops.map((loop) => [loop.from, LOOP_REACH + labels.get(loop)!.width]));
  const boxes = boxesOf(graph);
  const layout = arrange(
    [...boxes].map(([key, { width, height }]) => ({
      key,
      width: Math.ceil((width + (room.get(key) ?? 0)) / STEP) * STEP,
      height,
    })),
    straight.map((edge) => ({
      from: edge.from,
      to: targetKey(edge),
      width: labels.get(edge)!.width,
      height: labels.get(edge)!.height,
    })),
  );
  const placed = new Map<string, PlacedBox>();
  for (const [key, box] of boxes) {
    const { x, y } = layout.node(key) as Point;
    placed.set(key, { ...box, key, x: x - (room.get(key) ?? 0) / 2, y });
  }
  const placeLoop = (edge: GraphEdge): PlacedEdge => loopAt(placed.get(edge.from)!, edge, labels.get(edge)!);
  const placeEdge = (edge: GraphEdge): PlacedEdge => {
    const { points, x = 0, y = 0 } = layout.edge(edge.from, targetKey(edge)) as { points: Point[]; x?: number; y?: number };
    const isBack = points[0]!.y > points.at(-1)!.y;
    const [from, to] = [placed.get(edge.from)!, placed.get(targetKey(edge))!];
    return { edge, from, to, points, isBack, isLoop: false, label: { ...labels.get(edge)!, x, y } };
  };
  const all = [...placed.values()];
  const edges = [...passRows(withPorts(straight.map(placeEdge)), all), ...loops.map(placeLoop)];
  return { bounds: boundsOf(all, edges), boxes: all, edges };
}

interface Sized {
  key: string;
  width: number;
  height: number;
}
interface SizedEdge {
  from: string;
  to: string;
  width: number;
  height: number;
}
type Arranged = InstanceType<typeof dagre.graphlib.Graph>;

/** The last four arrangements by what they were made of; nobody changes one. */
const arranged = new RecentlyUsed<Arranged>(4);
/** Boxes get room in steps, so that a letter more seldom moves them. */
const STEP = 24;

/**
 * Finding the places takes most of the time of a picture, and whoever types a text seldom changes the room of a box: what was
 * arranged last is not arranged again (T9).
 */
function arrange(boxes: readonly Sized[], edges: readonly SizedEdge[]): Arranged {
  const key = JSON.stringify([boxes, edges]);
  const known = arranged.find(key);
  if (known) return known;
  const layout = dagreGraph(boxes.length);
  for (const { key: name, width, height } of boxes) layout.setNode(name, { width, height });
  for (const { from, to, width, height } of edges) layout.setEdge(from, to, { width, height, labelpos: 'c' });
  dagre.layout(layout);
  arranged.set(key, layout, 1);
  return layout;
}

function dagreGraph(nodes: number): Arranged {
  const layout = new dagre.graphlib.Graph();
  const ranker = nodes > MANY_NODES ? 'tight-tree' : 'network-simplex';
  layout.setGraph({ rankdir: 'TB', nodesep: 40, edgesep: 24, ranksep: 56, ranker });
  return layout;
}

/** Every node once, but a finish for each block that leads there: one for all would be a knot of long lines. */
function boxesOf({ nodes, edges }: FlowGraph): Map<string, Box> {
  const finish = nodes.find(({ kind }) => kind === 'finish');
  const others = nodes.filter((node) => node !== finish).map((node): [string, Box] => [node.id, boxOf(node)]);
  const keys = edges.filter(({ to }) => to === 'finish').map(targetKey);
  return new Map([...others, ...keys.map((key): [string, Box] => [key, boxOf(finish!)])]);
}

/** No identifier has a space in it (W7). */
function targetKey({ from, to }: GraphEdge): string {
  return to === 'finish' ? `${from} finish` : to;
}

function isLoop({ from, to }: GraphEdge): boolean {
  return from === to;
}

function loopAt(box: PlacedBox, edge: GraphEdge, label: Label): PlacedEdge {
  const side = box.x + box.width / 2;
  const points = [-9, 9].map((offset) => ({ x: side, y: box.y + offset }));
  const place = { x: side + LOOP_REACH + label.width / 2, y: box.y };
  return { edge, from: box, to: box, points, isBack: false, isLoop: true, label: { ...label, ...place } };
}

function withPorts(edges: readonly PlacedEdge[]): PlacedEdge[] {
  const ports = placePorts(edges);
  return edges.map((edge, index) => {
    const { start, end } = ports[index]!;
    return { ...edge, points: [start, ...edge.points.slice(1, -1), end] };
  });
}

function labelOf({ names }: GraphEdge): Label {
  const widths = Array.from({ length: LABEL_LINES }, () => LABEL_WIDTH);
  const lines = wrapText(names.join(', '), widths, SIZES.edge);
  const width = Math.max(0, ...lines.map((line) => textWidth(line, SIZES.edge) + 14));
  return { lines, width, height: lines.length === 0 ? 0 : lines.length * 14 + 6 };
}
