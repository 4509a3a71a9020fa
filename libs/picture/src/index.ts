import type { FlowDefinition } from '@waymark/domain/engine';
import { toDot } from './text/dot.js';
import { type FlowGraph, graphOf, type GraphOptions } from './graph/flow-graph.js';
import { type GraphNumbers, withNumbers } from './graph/graph-numbers.js';
import { toMermaid } from './text/mermaid.js';
import { toSvg } from './svg/to-svg.js';

const DRAW = { svg: toSvg, mermaid: toMermaid, dot: toDot };

export type { GraphNumbers };

/** How a flow can be drawn. */
export type GraphFormat = keyof typeof DRAW;

/** What a picture shows beside the flow itself. */
export interface PictureOptions extends GraphOptions {
  /** How many users are where (E14). */
  numbers?: GraphNumbers | undefined;
  /** Without name and summary, for a page that has them already. */
  isBare?: boolean;
}

/**
 * A picture of a flow, coloured by where a user is in it when their state is given, with numbers
 * when these are. Throws `picture.tangled`.
 */
export function drawFlow(
  definition: FlowDefinition,
  format: GraphFormat,
  options: PictureOptions = {},
): string {
  return DRAW[format](shownOf(definition, options));
}

/** All that a picture depends on, as a text: equal keys have equal pictures, in every format. */
export function pictureKey(definition: FlowDefinition, options: PictureOptions = {}): string {
  return JSON.stringify(shownOf(definition, options));
}

function shownOf(
  definition: FlowDefinition,
  { numbers, isBare = false, ...options }: PictureOptions,
): FlowGraph {
  const graph = graphOf(definition, options);
  const counted = numbers ? withNumbers(graph, numbers) : graph;
  return isBare ? { ...counted, name: '', summary: '' } : counted;
}
