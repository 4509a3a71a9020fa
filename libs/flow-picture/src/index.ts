import type { FlowDefinition } from '@waymark/domain/engine';
import { toDot } from './text/dot.js';
import { graphOf, type GraphOptions } from './graph/flow-graph.js';
import { toMermaid } from './text/mermaid.js';
import { toSvg } from './svg/to-svg.js';

const DRAW = { svg: toSvg, mermaid: toMermaid, dot: toDot };

/** How a flow can be drawn. */
export type GraphFormat = keyof typeof DRAW;

/** A picture of a flow, coloured by where a user is in it when their state is given. Throws `picture.tangled`. */
export function drawFlow(definition: FlowDefinition, format: GraphFormat, options: GraphOptions = {}): string {
  return DRAW[format](graphOf(definition, options));
}
