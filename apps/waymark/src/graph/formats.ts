/** How a flow can be drawn; light, so that the help can list them without what draws. */
export const GRAPH_FORMATS = ['svg', 'mermaid', 'dot'] as const;
export type GraphFormat = (typeof GRAPH_FORMATS)[number];
