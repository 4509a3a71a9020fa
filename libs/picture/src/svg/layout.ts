import type { FlowGraph, GraphEdge } from '../graph/flow-graph.js';
import { arrange, type Unplaced } from './arrange.js';
import { type Box, boxOf, SIZES } from './box.js';
import { passRows } from './pass-rows.js';
import type { Label, PlacedBox, PlacedEdge, Point } from './placement.js';
import { placePorts } from './ports.js';
import { textWidth, wrapText } from './text-width.js';

interface Bounds {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface Layout {
  bounds: Bounds;
  boxes: PlacedBox[];
  edges: PlacedEdge[];
}

const LABEL_WIDTH = 170;
const LABEL_LINES = 4;
/** How far a loop reaches out of its box, without its label. */
const LOOP_REACH = 30;
/** Boxes get room in steps, so that a letter more seldom moves them. */
const STEP = 24;

/** Places every box and leads every edge, from top to bottom, labels between the boxes. */
export function layOut(graph: FlowGraph): Layout {
  const measured = measure(graph);
  const { boxes, room, labels, loops, straight } = measured;
  const places = arrange(unplacedOf(measured));
  const placed = new Map<string, PlacedBox>();
  for (const [number, [key, box]] of [...boxes].entries()) {
    const { x, y } = places.boxes[number]!;
    placed.set(key, { ...box, key, x: x - (room.get(key) ?? 0) / 2, y });
  }
  const placeLoop = (edge: GraphEdge): PlacedEdge =>
    loopAt(placed.get(edge.from)!, edge, labels.get(edge)!);
  const placeEdge = (edge: GraphEdge, index: number): PlacedEdge => {
    const { points, label } = places.edges[index]!;
    const isBack = points[0]!.y > points.at(-1)!.y;
    const [from, to] = [placed.get(edge.from)!, placed.get(targetKey(edge))!];
    return {
      edge,
      from,
      to,
      points,
      isBack,
      isLoop: false,
      label: { ...labels.get(edge)!, ...label },
    };
  };
  const all = [...placed.values()];
  const edges = [...passRows(withPorts(straight.map(placeEdge)), all), ...loops.map(placeLoop)];
  return { bounds: boundsOf(all, edges), boxes: all, edges };
}

/**
 * What a picture of these has to cover: boxes, labels, and every point of an edge, which may lead
 * around all boxes.
 */
function boundsOf(boxes: readonly PlacedBox[], edges: readonly PlacedEdge[]): Bounds {
  const labels = edges.flatMap(({ label, isLoop }) =>
    label.lines.length > 0 || isLoop ? [label] : [],
  );
  const points = [
    ...[...boxes, ...labels].flatMap(cornersOf),
    ...edges.flatMap((edge) => edge.points),
  ];
  const [left, right] = extentOf(points.map(({ x }) => x));
  const [top, bottom] = extentOf(points.map(({ y }) => y));
  return { left, top, width: right - left, height: bottom - top };
}

function cornersOf({
  x,
  y,
  width,
  height,
}: Point & { width: number; height: number }): [Point, Point] {
  return [
    { x: x - width / 2, y: y - height / 2 },
    { x: x + width / 2, y: y + height / 2 },
  ];
}

/** Without spreading: a large flow has more points than a call may have arguments. */
function extentOf(values: readonly number[]): [number, number] {
  return values.reduce(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Infinity, -Infinity],
  );
}

/** What the places depend on. */
export function unplacedOf({ boxes, room, labels, straight }: Measured): Unplaced {
  const numbers = new Map([...boxes.keys()].map((key, number) => [key, number]));
  return {
    boxes: [...boxes].map(([key, { width, height }]) => [
      Math.ceil((width + (room.get(key) ?? 0)) / STEP) * STEP,
      height,
    ]),
    edges: straight.map((edge) => {
      const { width, height } = labels.get(edge)!;
      return [numbers.get(edge.from)!, numbers.get(targetKey(edge))!, width, height];
    }),
  };
}

interface Measured {
  boxes: Map<string, Box>;
  /** Beside boxes with a loop. */
  room: Map<string, number>;
  labels: Map<GraphEdge, Label>;
  loops: GraphEdge[];
  straight: GraphEdge[];
}

export function measure(graph: FlowGraph): Measured {
  const labels = new Map(graph.edges.map((edge) => [edge, labelOf(edge)]));
  const [loops, straight] = [
    graph.edges.filter(isLoop),
    graph.edges.filter((edge) => !isLoop(edge)),
  ];
  const room = new Map(loops.map((loop) => [loop.from, LOOP_REACH + labels.get(loop)!.width]));
  return { boxes: boxesOf(graph), room, labels, loops, straight };
}

/**
 * Every node once, but a finish for each block that leads there: one for all would be a knot of
 * long lines.
 */
function boxesOf({ nodes, edges }: FlowGraph): Map<string, Box> {
  const finish = nodes.find(({ kind }) => kind === 'finish');
  const others = nodes
    .filter((node) => node !== finish)
    .map((node): [string, Box] => [node.id, boxOf(node)]);
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
  return {
    edge,
    from: box,
    to: box,
    points,
    isBack: false,
    isLoop: true,
    label: { ...label, ...place },
  };
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
