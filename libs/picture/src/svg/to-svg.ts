import { DomainError } from '@waymark/domain/database/errors';
import type { FlowGraph, BlockStatus } from '../graph/flow-graph.js';
import { EDGE, FAINT_INK, INK, PAPER, STATUS_COLOURS } from '../graph/palette.js';
import { drawBox } from './draw-box.js';
import { drawEdge, drawLabel } from './draw-edge.js';
import { element, textElement } from './element.js';
import { layOut } from './layout.js';
import { ellipsize, textWidth, wrapText } from './text-width.js';

/** Beyond reading by far; the largest flow with paths that lead nearby has a fifth. */
const LONGEST_EDGES = 20_000;
const MARGIN = 32;
const TITLE_HEIGHT = 26;
const LINE_HEIGHT = 17;
const LEGEND = 40;
const MIN_WIDTH = 460;
const MAX_SUMMARY_LINES = 4;
const FONT = "Inter, 'Segoe UI', 'Helvetica Neue', Helvetica, Arial, sans-serif";

/**
 * The flow as a picture of its own, in SVG: light, with a legend when it shows a user's state.
 * Throws `picture.tangled`.
 */
export function toSvg(graph: FlowGraph): string {
  refuseTangle(graph);
  const layout = layOut(graph);
  const { bounds } = layout;
  const legend = legendOf(graph);
  const width =
    Math.ceil(Math.max(bounds.width, legend.width, graph.name === '' ? 0 : MIN_WIDTH)) + 2 * MARGIN;
  const head = headOf(graph, width - 2 * MARGIN);
  const height =
    Math.ceil(bounds.height) + head.height + 2 * MARGIN + (graph.isColoured ? LEGEND : 0);
  const place = `translate(${Math.round((width - bounds.width) / 2 - bounds.left)} ${Math.round(MARGIN + head.height - bounds.top)})`;
  const drawn = [
    ...layout.edges.map(drawEdge),
    ...layout.boxes.map(drawBox),
    ...layout.edges.map(drawLabel),
  ];
  const paper = element('rect', { width: '100%', height: '100%', fill: PAPER });
  const content = [
    arrow(),
    paper,
    ...head.elements,
    element('g', { transform: place }, drawn),
    ...legend.draw(MARGIN, height - MARGIN),
  ];
  const size = { width, height, viewBox: `0 0 ${width} ${height}` };
  return `${element('svg', { xmlns: 'http://www.w3.org/2000/svg', ...size, 'font-family': FONT }, content)}\n`;
}

function refuseTangle(graph: FlowGraph): void {
  if (lengthOfEdges(graph) <= LONGEST_EDGES) return;
  throw new DomainError(
    'picture.tangled',
    `the paths of ${graph.flow} lead so far across each other that its picture would be a tangle; ` +
      '--format dot and --format mermaid write it for other tools',
  );
}

/**
 * How many levels all edges of the graph span together, roughly: what the time and the size of a
 * layout grow with. Levels are those of longest paths from the start, edges that lead back aside.
 */
function lengthOfEdges({ nodes, edges }: FlowGraph): number {
  const targets = new Map(
    nodes.map(({ id }) => [id, edges.filter(({ from }) => from === id).map(({ to }) => to)]),
  );
  const order = orderOf(targets);
  const place = new Map(order.map((id, index) => [id, index]));
  const leadsOn = (from: string, to: string): boolean => place.get(from)! < place.get(to)!;
  const levels = new Map(order.map((id) => [id, 0]));
  for (const id of order) {
    for (const to of targets.get(id)!)
      if (leadsOn(id, to)) levels.set(to, Math.max(levels.get(to)!, levels.get(id)! + 1));
  }
  // A finish is drawn beside each block that leads there.
  const drawn = edges.filter(({ to }) => to !== 'finish');
  return drawn.reduce(
    (sum, { from, to }) => sum + Math.abs(levels.get(to)! - levels.get(from)!),
    0,
  );
}

/** Every node behind those that lead to it, except along edges that close a circle. */
function orderOf(targets: ReadonlyMap<string, readonly string[]>): string[] {
  const seen = new Set<string>();
  const finished: string[] = [];
  const visit = (id: string): void => {
    if (seen.has(id)) return;
    seen.add(id);
    targets.get(id)!.forEach(visit);
    finished.push(id);
  };
  for (const id of targets.keys()) visit(id);
  return finished.reverse();
}

function arrow(): string {
  const tip = element('path', { d: 'M0 0L9 4.5L0 9L2 4.5Z', fill: EDGE });
  const box = {
    id: 'arrow',
    markerWidth: 9,
    markerHeight: 9,
    refX: 8,
    refY: 4.5,
    orient: 'auto',
    markerUnits: 'userSpaceOnUse',
  };
  return element('defs', {}, [element('marker', box, [tip])]);
}

/** Name and summary above the picture, where it has them. */
function headOf(
  { name, flow, summary }: FlowGraph,
  room: number,
): { height: number; elements: string[] } {
  if (name === '') return { height: 0, elements: [] };
  const title = ellipsize(name, room / 1.07, 19);
  const widths = Array.from({ length: MAX_SUMMARY_LINES }, () => room);
  const lines = wrapText(name === flow ? summary : `${flow} · ${summary}`, widths, 12);
  const below = MARGIN + TITLE_HEIGHT - 5;
  return {
    height: TITLE_HEIGHT + lines.length * LINE_HEIGHT + 20,
    elements: [
      textElement(title, {
        x: MARGIN,
        y: MARGIN + 16,
        'font-size': 19,
        'font-weight': 700,
        fill: INK,
      }),
      ...lines.map((line, index) =>
        textElement(line, {
          x: MARGIN,
          y: below + (index + 1) * LINE_HEIGHT,
          'font-size': 12,
          fill: FAINT_INK,
        }),
      ),
    ],
  };
}

/** The colours that the picture uses; nothing without a state. */
function legendOf({ nodes, isColoured }: FlowGraph): {
  width: number;
  draw: (x: number, y: number) => string[];
} {
  const used = new Set(
    nodes.flatMap((node) => [node.status, ...node.items.map((item) => item.status)]),
  );
  const statuses = (Object.keys(STATUS_COLOURS) as BlockStatus[]).filter(
    (status) => isColoured && used.has(status),
  );
  const widths = statuses.map((status) => 22 + textWidth(status, 11.5) + 18);
  const starts = widths.map((_, index) =>
    widths.slice(0, index).reduce((sum, each) => sum + each, 0),
  );
  return {
    width: widths.reduce((sum, each) => sum + each, 0),
    draw: (x, y) => statuses.flatMap((status, index) => swatch(status, x + starts[index]!, y)),
  };
}

function swatch(status: BlockStatus, x: number, y: number): string[] {
  const { fill, line } = STATUS_COLOURS[status];
  return [
    element('rect', {
      x,
      y: y - 11,
      width: 14,
      height: 14,
      rx: 4,
      fill,
      stroke: line,
      'stroke-width': 1.5,
    }),
    textElement(status, { x: x + 21, y, 'font-size': 11.5, fill: FAINT_INK }),
  ];
}
