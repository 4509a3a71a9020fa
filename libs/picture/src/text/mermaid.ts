import type { FlowGraph, GraphEdge, GraphItem, GraphNode } from '../graph/flow-graph.js';
import { widthOf } from '../graph/edge-width.js';
import { INK, STATUS_COLOURS } from '../graph/palette.js';

/**
 * The flow as a Mermaid flowchart. Names of nodes are numbers, so that identifiers can be any word
 * of Mermaid.
 */
export function toMermaid(graph: FlowGraph): string {
  const keys = new Map(graph.nodes.map((node, index) => [node.id, `n${index}`]));
  const keyOf = (id: string): string => keys.get(id) ?? id;
  return [
    '---',
    `title: ${JSON.stringify(`${graph.name} (${[graph.flow, graph.version].filter(Boolean).join(', ')})`)}`,
    '---',
    'flowchart TD',
    ...graph.nodes.flatMap((node) => nodeLines(node, keyOf(node.id))),
    ...graph.edges.map((edge) => edgeLine(edge, keyOf)),
    ...graph.edges.flatMap(widthLine),
    ...(graph.isColoured ? colourLines(graph, keyOf) : []),
    '',
  ].join('\n');
}

function nodeLines(node: GraphNode, key: string): string[] {
  if (node.items.length === 0) return [`  ${key}${shape(node)}`];
  const title = label([`${node.kind}: ${node.label}`, node.detail]);
  const items = node.items.map(
    (item, index) => `    ${itemKey(key, index)}["${label([item.label, item.detail])}"]`,
  );
  return [`  subgraph ${key}["${title}"]`, ...items, '  end'];
}

function shape(node: GraphNode): string {
  const text = label([`${node.kind}: ${node.label}`, node.detail]);
  switch (node.kind) {
    case 'start':
      return '(("start"))';
    case 'finish':
      return '((("finish")))';
    case 'branch':
      return `{"${text}"}`;
    case 'split':
      return `[/"${text}"\\]`;
    case 'gate':
      return `{{"${text}"}}`;
    case 'delay':
      return `(["${text}"])`;
    case 'webhook':
      return `>"${text}"]`;
    case 'flow-trigger':
      return `[["${text}"]]`;
    default:
      return `("${text}")`;
  }
}

function edgeLine({ from, to, names }: GraphEdge, keyOf: (id: string) => string): string {
  const text = names.length > 0 ? `|"${label([names.join(', ')])}"|` : '';
  return `  ${keyOf(from)} -->${text} ${keyOf(to)}`;
}

/** Mermaid knows links by their place. */
function widthLine(edge: GraphEdge, index: number): string[] {
  return edge.share === undefined ? [] : [`  linkStyle ${index} stroke-width:${widthOf(edge)}px`];
}

function colourLines({ nodes }: FlowGraph, keyOf: (id: string) => string): string[] {
  const parts = nodes.flatMap((node): [string, GraphNode | GraphItem][] => [
    [keyOf(node.id), node],
    ...node.items.map((item, index): [string, GraphItem] => [itemKey(keyOf(node.id), index), item]),
  ]);
  return Object.entries(STATUS_COLOURS).flatMap(([status, { fill, line }]) => {
    const keys = parts.filter(([, part]) => part.status === status).map(([key]) => key);
    const name = status.replace(' ', '-');
    return keys.length === 0
      ? []
      : [
          `  classDef ${name} fill:${fill},stroke:${line},color:${INK}`,
          `  class ${keys.join()} ${name}`,
        ];
  });
}

function itemKey(container: string, index: number): string {
  return `${container}i${index}`;
}

/** Lines of a label, every character that Mermaid or HTML could take for its own as an entity. */
function label(lines: string[]): string {
  const escaped = lines
    .filter((line) => line !== '')
    .map((line) => line.replace(/\s+/g, ' ').replace(/[^\p{L}\p{N} .,:?!'/()=@-]/gu, entity));
  return escaped.join('<br/>');
}

function entity(character: string): string {
  return `#${character.codePointAt(0)};`;
}
