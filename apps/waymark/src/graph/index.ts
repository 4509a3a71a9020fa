import type { FlowDefinition } from '@waymark/domain/engine';
import { toDot } from './dot.js';
import { graphOf, type GraphOptions } from './flow-graph.js';
import type { GraphFormat } from './formats.js';
import { toMermaid } from './mermaid.js';
import { toSvg } from './svg/to-svg.js';

const DRAW = { svg: toSvg, mermaid: toMermaid, dot: toDot };

/** A picture of a flow, coloured by where a user is in it when their state is given. */
export function drawFlow(definition: FlowDefinition, format: GraphFormat, options: GraphOptions = {}): string {
  return DRAW[format](graphOf(definition, options));
}
