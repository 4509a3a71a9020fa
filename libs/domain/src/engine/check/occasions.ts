import { type Edge, exclusiveNames, type Graph, leadingTo } from './graph.js';

/**
 * Whether a node is reached at most once in a run, whatever the user does. False when in doubt: a warning that rests on
 * it must be right.
 */
export function isReachedOnce(graph: Graph, node: number): boolean {
  const order = sortByPaths(graph, leadingTo(graph, node));
  return order !== null && countOccasions(graph, order, node) <= 1;
}

/** How often one start can reach the node, at most: an exit takes one name, everything else takes all its paths. */
function countOccasions(graph: Graph, order: readonly number[], node: number): number {
  const occasions = new Map([[node, 1]]);
  for (const from of order.toReversed()) {
    if (from === node) continue;
    const counts = new Map<string | null, number>();
    const names = exclusiveNames(graph, from);
    for (const edge of (graph.out[from] ?? []).filter((each) => isCounted(graph, each))) {
      for (const name of names === null ? [null] : new Set(edge.names)) {
        counts.set(name, (counts.get(name) ?? 0) + (occasions.get(edge.to) ?? 0));
      }
    }
    // Capped, since a thousand forks in a row would leave the numbers behind.
    occasions.set(from, Math.min(2, Math.max(0, ...counts.values())));
  }
  return occasions.get(graph.start) ?? 0;
}

/** A gate passes no more often than any one of its inputs arrives, so that counting one is enough. */
function isCounted({ blocks, into }: Graph, { from, to }: Edge): boolean {
  return blocks[to]?.type !== 'gate' || into[to]?.[0]?.from === from;
}

/** The nodes so that every path leads forward; null when some lie on a circle. */
function sortByPaths(graph: Graph, nodes: ReadonlySet<number>): number[] | null {
  const waiting = new Map<number, number>();
  for (const node of nodes) waiting.set(node, (graph.into[node] ?? []).length);
  const sorted: number[] = [];
  const ready = [...nodes].filter((node) => waiting.get(node) === 0);
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    sorted.push(node);
    for (const { to } of graph.out[node] ?? []) {
      const left = (waiting.get(to) ?? 0) - 1;
      waiting.set(to, left);
      if (left === 0 && nodes.has(to)) ready.push(to);
    }
  }
  return sorted.length === nodes.size ? sorted : null;
}
