import type { FlowGraph, GraphEdge, GraphItem, GraphNode } from './flow-graph.js';

/** The numbers of a flow report: how many users are where, and where they went (E14). */
export interface GraphNumbers {
  readonly started: number;
  readonly finished: number;
  readonly blocks: readonly {
    readonly block: string;
    readonly reached: number;
    /** Left out where the page shows it beside the blocks. */
    readonly now?: number;
    /** Users by where the paths lead that they took. */
    readonly paths: Readonly<Record<string, number>>;
  }[];
  readonly branches: readonly {
    readonly block: string;
    readonly outcomes: { readonly true: number; readonly false: number };
  }[];
}

/**
 * The graph with users in its blocks, and on every path the share of those who reached its block
 * and took it.
 */
export function withNumbers(graph: FlowGraph, numbers: GraphNumbers): FlowGraph {
  const shown = new Map(
    numbers.blocks.flatMap(({ block, now }) => (now === undefined ? [] : [[block, now] as const])),
  );
  return {
    ...graph,
    summary: `${graph.summary} · ${numbers.started.toLocaleString('en-US')} users started`,
    nodes: graph.nodes.map((node) => countNode(node, shown, numbers)),
    edges: graph.edges.map((edge) => countEdge(edge, numbers)),
  };
}

function countNode(
  node: GraphNode,
  shown: ReadonlyMap<string, number>,
  { finished }: GraphNumbers,
): GraphNode {
  const now = node.kind === 'finish' ? finished : shown.get(node.id);
  const items = node.items.map((item): GraphItem => ({
    ...item,
    detail: counted(item.detail, shown.get(item.id)),
  }));
  return { ...node, detail: counted(node.detail, now), items };
}

function counted(text: string, users: number | undefined): string {
  if (users === undefined) return text;
  return [`${users.toLocaleString('en-US')} now`, text].filter(Boolean).join(' · ');
}

function countEdge(edge: GraphEdge, numbers: GraphNumbers): GraphEdge {
  const share = shareOf(edge, numbers);
  if (share === null) return edge;
  return { ...edge, share, names: [...edge.names, `${Math.round(share * 100)} %`] };
}

/** Null for paths that are not chosen by users, and for blocks that none reached. */
function shareOf(
  { from, to, names }: GraphEdge,
  { blocks, branches }: GraphNumbers,
): number | null {
  const branch = branches.find(({ block }) => block === from);
  if (branch) {
    const { outcomes } = branch;
    const taken = names.reduce(
      (sum, name) => sum + (name === 'true' ? outcomes.true : outcomes.false),
      0,
    );
    return quotient(taken, outcomes.true + outcomes.false);
  }
  const block = blocks.find((one) => one.block === from);
  return block ? quotient(block.paths[to] ?? 0, block.reached) : null;
}

const quotient = (part: number, whole: number): number | null =>
  whole === 0 ? null : part / whole;
