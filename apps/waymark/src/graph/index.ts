import type { FlowDefinition, FlowState } from '@waymark/domain/engine';
import { toDot } from './dot.js';
import { graphOf } from './flow-graph.js';
import { toMermaid } from './mermaid.js';
import { toSvg } from './svg/to-svg.js';

export const GRAPH_FORMATS = ['svg', 'mermaid', 'dot'] as const;
export type GraphFormat = (typeof GRAPH_FORMATS)[number];

const DRAW = { svg: toSvg, mermaid: toMermaid, dot: toDot };

/** A picture of a flow, coloured by where a user is in it when their state is given. */
export function drawFlow(definition: FlowDefinition, format: GraphFormat, state?: FlowState): string {
  return DRAW[format](graphOf(definition, state));
}
