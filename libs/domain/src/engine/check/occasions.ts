import { exclusiveNames, type Edge, type Graph, leadingTo, type Nodes } from './graph.js';

/**
 * Whether a node is reached at most once in a run that stays within some nodes, whatever the user does. False when in
 * doubt: a warning that rests on it must be right.
 */
export function isReachedOnce(graph: Graph, node: number, within: Nodes): boolean {
  const before = leadingTo(graph, node, within);
  const order = sortByPaths(graph, before);
  return order !== null && countOccasions(graph, order, before) <= 1;
}

/**
 * How often one start can reach the last node of the order, at most: an exit takes one name, everything else takes all
 * its paths.
 */
function countOccasions(graph: Graph, order: readonly number[], within: Nodes): number {
  const occasions = new Uint8Array(within.length);
  const [node, ...earlier] = order.toReversed();
  if (node !== undefined) occasions[node] = 1;
  for (const from of earlier) {
    const counts = new Map<string | null, number>();
    const names = exclusiveNames(graph, from);
    for (const edge of graph.out[from] ?? []) {
      const behind = isCounted(graph, edge, within) ? (occasions[edge.to] ?? 0) : 0;
      for (const name of names === null ? [null] : new Set(edge.names)) counts.set(name, (counts.get(name) ?? 0) + behind);
    }
    // Capped, since a thousand forks in a row would leave the numbers behind.
    occasions[from] = Math.min(2, Math.max(0, ...counts.values()));
  }
  return occasions[graph.start] ?? 0;
}

/** A gate passes no more often than any one of its inputs arrives, so that counting one is enough. */
function isCounted({ blocks, into }: Graph, edge: Edge, within: Nodes): boolean {
  if (blocks[edge.to]?.type !== 'gate') return true;
  return into[edge.to]?.find(({ from }) => within[from])?.from === edge.from;
}

/** The nodes so that every path leads forward; null when some lie on a circle. */
function sortByPaths({ out, into }: Graph, nodes: Nodes): number[] | null {
  const members = [...nodes.keys()].filter((node) => nodes[node]);
  const waiting = members.reduce((counts, node) => {
    counts[node] = (into[node] ?? []).filter(({ from }) => nodes[from]).length;
    return counts;
  }, new Int32Array(nodes.length));
  const sorted: number[] = [];
  const ready = members.filter((node) => waiting[node] === 0);
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    sorted.push(node);
    for (const { to } of out[node] ?? []) {
      if (!nodes[to]) continue;
      waiting[to] = (waiting[to] ?? 0) - 1;
      if (waiting[to] === 0) ready.push(to);
    }
  }
  return sorted.length === members.length ? sorted : null;
}
