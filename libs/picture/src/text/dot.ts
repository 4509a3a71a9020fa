import { escapeXml } from '../svg/element.js';
import type { FlowGraph, GraphEdge, GraphItem, GraphNode } from '../graph/flow-graph.js';
import { widthOf } from '../graph/edge-width.js';
import {
  coloursOf,
  EDGE,
  FAINT_INK,
  INK,
  PAPER,
  solidColoursOf,
  STATUS_COLOURS,
} from '../graph/palette.js';

const SHAPES: Partial<Record<GraphNode['kind'], string>> = {
  start: 'circle',
  finish: 'doublecircle',
  branch: 'diamond',
  split: 'trapezium',
  webhook: 'cds',
  'flow-trigger': 'box3d',
};

/** The flow as a Graphviz graph, for `dot`. */
export function toDot(graph: FlowGraph): string {
  return [
    `digraph ${quote(graph.flow)} {`,
    `  graph [label=${label([graph.name, graph.summary])}, labelloc=t, fontname="Helvetica", bgcolor="${PAPER}", ranksep=0.6];`,
    `  node [fontname="Helvetica", fontsize=11, style="filled,rounded", fillcolor=white, fontcolor="${INK}"];`,
    `  edge [fontname="Helvetica", fontsize=10, color="${EDGE}", fontcolor="${FAINT_INK}"];`,
    ...graph.nodes.map((node) => `  ${quote(node.id)} [${attributes(node)}];`),
    ...graph.edges.map(edgeLine),
    '}',
    '',
  ].join('\n');
}

function attributes(node: GraphNode): string {
  const { fill, line } = coloursOf(node);
  if (node.items.length > 0) return `shape=plain, label=<${table(node, fill, line)}>`;
  if (node.kind === 'gate') {
    const solid = solidColoursOf(node);
    return `shape=box, style=filled, height=0.2, fillcolor="${solid.fill}", fontcolor="${solid.ink}", label=${label([node.id])}`;
  }
  const shape = SHAPES[node.kind];
  const outline = shape ? `shape=${shape}, style=filled` : 'shape=box';
  return `${outline}, color="${line}", fillcolor="${fill}", label=${label(linesOf(node))}`;
}

function linesOf({ kind, label: name, detail }: GraphNode): string[] {
  if (kind === 'start' || kind === 'finish') return [kind];
  return [`${kind}: ${name}`, detail].filter((line) => line !== '');
}

function table(node: GraphNode, fill: string, line: string): string {
  const head = `<TR><TD><B>${escapeXml(`${node.kind}: ${node.label}`)}</B></TD></TR>`;
  const detail = node.detail === '' ? '' : `<TR><TD>${escapeXml(node.detail)}</TD></TR>`;
  const border = `BORDER="1" CELLBORDER="0" CELLSPACING="4" STYLE="ROUNDED" COLOR="${line}" BGCOLOR="${fill}"`;
  return `<TABLE ${border}>${head}${detail}${node.items.map(row).join('')}</TABLE>`;
}

function row({ label: name, detail, status }: GraphItem): string {
  const { fill, line } = STATUS_COLOURS[status ?? 'not entered'];
  const text = escapeXml(detail === '' ? name : `${name} · ${detail}`);
  return `<TR><TD BORDER="1" STYLE="ROUNDED" COLOR="${line}" BGCOLOR="${fill}">${text}</TD></TR>`;
}

function edgeLine(edge: GraphEdge): string {
  const { from, to, names, share } = edge;
  const looks = [
    ...(names.length > 0 ? [`label=${label([names.join(', ')])}`] : []),
    ...(share === undefined ? [] : [`penwidth=${widthOf(edge)}`]),
  ];
  return `  ${quote(from)} -> ${quote(to)}${looks.length > 0 ? ` [${looks.join(', ')}]` : ''};`;
}

/** Lines of a label, in which Graphviz reads entities as HTML does. */
function label(lines: readonly string[]): string {
  return quote(lines.map((line) => escapeXml(line.replace(/\s+/g, ' '))).join('\n'));
}

function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}
