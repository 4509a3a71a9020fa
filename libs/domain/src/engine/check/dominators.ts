import type { Graph, Nodes } from './graph.js';

const UNKNOWN = -1;

/**
 * For each node within some the next one above it that every way from the start passes, the start's own being itself;
 * -1 elsewhere. Computed as by Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm").
 */
export function findDominators(graph: Graph, within: Nodes): Int32Array {
  const order = postorder(graph, within);
  const rank = new Int32Array(graph.start + 1);
  for (const [index, node] of order.entries()) rank[node] = index;
  const above = new Int32Array(graph.start + 1).fill(UNKNOWN);
  above[graph.start] = graph.start;
  const others = order.toReversed().slice(1);
  // Ways back make a second round necessary, seldom more.
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const node of others) {
      const next = meetSources(graph, node, above, rank);
      hasChanged ||= above[node] !== next;
      above[node] = next;
    }
  }
  return above;
}

/** The lowest node above all sources of a node that are known so far. */
function meetSources({ into }: Graph, node: number, above: Int32Array, rank: Int32Array): number {
  let met = UNKNOWN;
  for (const { from } of into[node] ?? []) {
    if (above[from] === UNKNOWN) continue;
    met = met === UNKNOWN ? from : meet(met, from, above, rank);
  }
  return met;
}

function meet(a: number, b: number, above: Int32Array, rank: Int32Array): number {
  let [left, right] = [a, b];
  while (left !== right) {
    if ((rank[left] ?? 0) < (rank[right] ?? 0)) left = above[left] ?? right;
    else right = above[right] ?? left;
  }
  return left;
}

/** Nodes reached from the start, each after all that were found from it; the start comes last. */
function postorder({ out, start }: Graph, within: Nodes): number[] {
  const order: number[] = [];
  const left = within.slice();
  left[start] = 0;
  const trail = [{ node: start, next: 0 }];
  for (let last = trail.at(-1); last; last = trail.at(-1)) {
    const to = out[last.node]?.[last.next]?.to;
    last.next += 1;
    if (to === undefined) order.push(trail.pop()?.node ?? start);
    else if (left[to]) {
      left[to] = 0;
      trail.push({ node: to, next: 0 });
    }
  }
  return order;
}
