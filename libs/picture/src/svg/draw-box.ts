import type { GraphItem, GraphNode, BlockStatus } from '../graph/flow-graph.js';
import {
  coloursOf,
  FAINT_INK,
  INK,
  KINDS,
  solidColoursOf,
  STATUS_COLOURS,
} from '../graph/palette.js';
import { headHeight, PADDING, ROW_GAP, ROW_HEIGHT, SIZES } from './box.js';
import { element, textElement, tooltip } from './element.js';
import type { PlacedBox } from './placement.js';
import { ellipsize } from './text-width.js';

/** A block as a group of SVG elements, its shape by kind. */
export function drawBox(box: PlacedBox): string {
  const { node } = box;
  const about = [
    node.kind === node.id ? node.id : `${node.kind} ${node.label}`,
    node.detail,
    node.status,
  ]
    .filter(Boolean)
    .join(' · ');
  const items = node.folded ?? node.items.length;
  const container = {
    ...(items > 0 && { 'data-items': items }),
    ...(node.folded !== undefined && { 'data-folded': 'yes' }),
  };
  return element('g', { 'data-block': node.id, ...container }, [tooltip(about), ...parts(box)]);
}

function parts(box: PlacedBox): string[] {
  switch (box.node.kind) {
    case 'start':
    case 'finish':
      return drawEnd(box);
    case 'gate':
      return drawGate(box);
    case 'branch':
      return drawBranch(box);
    default:
      return drawCard(box);
  }
}

/** A disc for the start, a disc in a ring for the finish. */
function drawEnd(box: PlacedBox): string[] {
  const { x, y, node, width } = box;
  const { fill, line, ink } = solidColoursOf(node);
  const radius = width / 2 - 1;
  const ring = element('circle', {
    cx: x,
    cy: y,
    r: radius,
    fill: '#ffffff',
    stroke: line,
    'stroke-width': 2,
  });
  const disc = element('circle', {
    cx: x,
    cy: y,
    r: node.kind === 'finish' ? radius - 4 : radius,
    fill,
    stroke: line,
  });
  const text = {
    x,
    y: y + 4,
    'text-anchor': 'middle',
    'font-size': SIZES.end,
    'font-weight': 600,
    fill: ink,
  };
  return [ring, disc, textElement(node.label, text)];
}

function drawGate(box: PlacedBox): string[] {
  const { x, y, width, height, node, labelLines } = box;
  const { fill, line, ink } = solidColoursOf(node);
  const bar = element('rect', {
    x: x - width / 2,
    y: y - height / 2,
    width,
    height,
    rx: 5,
    fill,
    stroke: line,
    'stroke-width': 1.5,
  });
  return [
    bar,
    textElement(labelLines[0]!, {
      x,
      y: y + 4.5,
      'text-anchor': 'middle',
      'font-size': SIZES.item,
      'font-weight': 600,
      fill: ink,
    }),
  ];
}

function drawBranch(box: PlacedBox): string[] {
  const { x, y, width, height, node, labelLines, detailLines } = box;
  const { fill, line } = coloursOf(node);
  const corners = [
    [x, y - height / 2],
    [x + width / 2, y],
    [x, y + height / 2],
    [x - width / 2, y],
  ] as const;
  const diamond = element('polygon', {
    points: corners.map((corner) => corner.join()).join(' '),
    fill,
    stroke: line,
    'stroke-width': 1.5,
    'stroke-linejoin': 'round',
  });
  const first = y - 4 - (detailLines.length - 1) * 7;
  return [
    diamond,
    textElement(labelLines[0]!, {
      x,
      y: first,
      'text-anchor': 'middle',
      'font-size': SIZES.label,
      'font-weight': 700,
      fill: INK,
    }),
    ...detailLines.map((text, index) =>
      textElement(text, {
        x,
        y: first + 17 + index * 14,
        'text-anchor': 'middle',
        'font-size': SIZES.condition,
        fill: FAINT_INK,
      }),
    ),
  ];
}

const RADII: Partial<Record<GraphNode['kind'], number>> = { 'flow-trigger': 2, delay: 25 };

function drawCard(box: PlacedBox): string[] {
  const { x, y, width, height, node, labelLines, detailLines } = box;
  const left = x - width / 2;
  const top = y - height / 2;
  const { line } = coloursOf(node);
  const indent = PADDING + (node.kind === 'flow-trigger' ? 6 : 0);
  const text = (
    content: string,
    baseline: number,
    attributes: Record<string, string | number>,
  ): string => textElement(content, { x: left + indent, y: top + baseline, ...attributes });
  const kind = {
    'font-size': SIZES.kind,
    'font-weight': 700,
    'letter-spacing': 0.6,
    fill: node.status ? FAINT_INK : line,
  };
  const below = 21 + labelLines.length * 17;
  return [
    ...outline(box),
    text(node.kind.toUpperCase(), 20, kind),
    ...statusWord(node.status, left + width - PADDING, top + 20),
    ...labelLines.map((content, index) =>
      text(content, 38 + index * 17, { 'font-size': SIZES.label, 'font-weight': 700, fill: INK }),
    ),
    ...detailLines.map((content, index) =>
      text(content, below + 16 + index * 15, { 'font-size': SIZES.detail, fill: FAINT_INK }),
    ),
    ...node.items.flatMap((item, index) =>
      drawItem(item, index, box, top + headHeight(box) + index * (ROW_HEIGHT + ROW_GAP)),
    ),
  ];
}

/** A box; an arrow for what is sent away, double sides for what runs elsewhere. */
function outline(box: PlacedBox): string[] {
  const { x, y, width, height, node } = box;
  const { fill, line } = coloursOf(node);
  const [left, right, top, bottom] = [x - width / 2, x + width / 2, y - height / 2, y + height / 2];
  const style = { fill, stroke: line, 'stroke-width': 1.5, 'stroke-linejoin': 'round' };
  if (node.kind === 'webhook') {
    const corners = [
      [left, top],
      [right - 14, top],
      [right, y],
      [right - 14, bottom],
      [left, bottom],
    ] as const;
    return [
      element('polygon', { points: corners.map((corner) => corner.join()).join(' '), ...style }),
    ];
  }
  const frame = element('rect', {
    x: left,
    y: top,
    width,
    height,
    rx: RADII[node.kind] ?? 9,
    ...style,
  });
  if (node.kind !== 'flow-trigger') return [frame];
  const bars = [left + 6, right - 6].map((at) =>
    element('line', { x1: at, y1: top, x2: at, y2: bottom, stroke: line, 'stroke-width': 1.5 }),
  );
  return [frame, ...bars];
}

function drawItem(
  { label, detail, status }: GraphItem,
  index: number,
  box: PlacedBox,
  top: number,
): string[] {
  const left = box.x - box.width / 2 + 8;
  const width = box.width - 16;
  const { fill, line } = status ? STATUS_COLOURS[status] : { fill: '#f6f7fa', line: '#d9dee7' };
  const inner = width - 42;
  const centre = top + ROW_HEIGHT / 2;
  const lines = [
    ellipsize(label, inner / 1.07, SIZES.item),
    ellipsize(detail, inner, SIZES.itemDetail),
  ];
  return [
    element('rect', { x: left, y: top, width, height: ROW_HEIGHT, rx: 6, fill, stroke: line }),
    itemMark(box.node.kind, index, status === 'exited', left + 16, centre),
    textElement(lines[0]!, {
      x: left + 32,
      y: detail === '' ? centre + 4 : centre - 3,
      'font-size': SIZES.item,
      'font-weight': 600,
      fill: INK,
    }),
    ...(detail === ''
      ? []
      : [
          textElement(lines[1]!, {
            x: left + 32,
            y: centre + 11,
            'font-size': SIZES.itemDetail,
            fill: FAINT_INK,
          }),
        ]),
  ];
}

/** Stops of a tour are counted, items of a checklist have a box to be ticked, hints a dot. */
function itemMark(
  kind: PlacedBox['node']['kind'],
  index: number,
  isDone: boolean,
  x: number,
  y: number,
): string {
  const style = { fill: '#ffffff', stroke: KINDS[kind], 'stroke-width': 1.2 };
  if (kind === 'hints')
    return element('circle', { cx: x, cy: y, r: 5, fill: KINDS[kind], opacity: 0.6 });
  if (kind === 'checklist') {
    const tick = element('path', {
      d: `M${x - 3} ${y}l2.5 3l4.5 -6`,
      fill: 'none',
      stroke: KINDS[kind],
      'stroke-width': 1.8,
    });
    return (
      element('rect', { x: x - 6, y: y - 6, width: 12, height: 12, rx: 3, ...style }) +
      (isDone ? tick : '')
    );
  }
  const text = {
    x,
    y: y + 3.5,
    'text-anchor': 'middle',
    'font-size': 9.5,
    'font-weight': 700,
    fill: KINDS[kind],
  };
  return (
    element('circle', { cx: x, cy: y, r: 8.5, ...style }) + textElement(String(index + 1), text)
  );
}

function statusWord(status: BlockStatus | undefined, x: number, y: number): string[] {
  if (!status || status === 'not entered' || status === 'automatic') return [];
  return [
    textElement(status, {
      x,
      y,
      'text-anchor': 'end',
      'font-size': 10,
      'font-weight': 600,
      fill: STATUS_COLOURS[status].line,
    }),
  ];
}
