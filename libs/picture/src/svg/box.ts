import type { GraphNode } from '../graph/flow-graph.js';
import { textWidth, wrapText } from './text-width.js';

/** Sizes of text, in pixels. */
export const SIZES = {
  kind: 9.5,
  label: 13.5,
  detail: 11.5,
  item: 12,
  itemDetail: 10.5,
  condition: 10.5,
  edge: 11,
  end: 10.5,
} as const;
export const ROW_HEIGHT = 36;
export const ROW_GAP = 6;
export const PADDING = 14;
const MIN_WIDTH = 168;
const MAX_WIDTH = 250;
const LINE_HEIGHT = 15;
/** Room for the tip of an arrow, and for double sides. */
const EXTRA_WIDTH: Partial<Record<GraphNode['kind'], number>> = {
  webhook: 12,
  'flow-trigger': 12,
};
/** Room for the name of an item beside its mark. */
const ITEM_INDENT = 34;

/** A node with its lines broken and its size known, before it has a place. */
export interface Box {
  node: GraphNode;
  width: number;
  height: number;
  labelLines: string[];
  detailLines: string[];
}

export function boxOf(node: GraphNode): Box {
  switch (node.kind) {
    case 'start':
      return { node, width: 56, height: 56, labelLines: [node.label], detailLines: [] };
    case 'finish':
      return { node, width: 50, height: 50, labelLines: [node.label], detailLines: [] };
    case 'gate':
      return {
        node,
        width: Math.min(MAX_WIDTH, Math.max(120, textWidth(node.label, SIZES.label, true) + 32)),
        height: 26,
        ...linesOf(node, [MAX_WIDTH - 24], []),
      };
    case 'branch':
      return { node, width: 236, height: 118, ...linesOf(node, [150], [170, 96]) };
    default:
      return cardBox(node);
  }
}

function cardBox(node: GraphNode): Box {
  const extra = EXTRA_WIDTH[node.kind] ?? 0;
  const inner = MAX_WIDTH - 2 * PADDING - extra;
  const lines = linesOf(node, [inner, inner], [inner, inner]);
  const rows = node.items.map(
    ({ label, detail }) =>
      ITEM_INDENT +
      Math.max(textWidth(label, SIZES.item, true), textWidth(detail, SIZES.itemDetail)),
  );
  const texts = [
    ...lines.labelLines.map((line) => textWidth(line, SIZES.label, true)),
    ...lines.detailLines.map((line) => textWidth(line, SIZES.detail)),
    ...rows,
  ];
  const width = Math.min(
    MAX_WIDTH,
    Math.max(MIN_WIDTH, ...texts.map((text) => text + 2 * PADDING + extra)),
  );
  return { node, width, height: headHeight(lines) + rowsHeight(node), ...lines };
}

/** Height of the part above the items. */
export function headHeight({
  labelLines,
  detailLines,
}: Pick<Box, 'labelLines' | 'detailLines'>): number {
  return 34 + labelLines.length * 17 + detailLines.length * LINE_HEIGHT;
}

function rowsHeight({ items }: GraphNode): number {
  return items.length === 0 ? 0 : items.length * (ROW_HEIGHT + ROW_GAP) + 6;
}

function linesOf(
  { label, detail }: GraphNode,
  labels: number[],
  details: number[],
): Pick<Box, 'labelLines' | 'detailLines'> {
  return {
    labelLines: wrapText(
      label,
      labels.map((width) => width / 1.07),
      SIZES.label,
    ),
    detailLines: wrapText(detail, details, SIZES.detail),
  };
}
