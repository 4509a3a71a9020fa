import type { Graph, Nodes } from './graph.js';

const UNREACHED = -1;

/**
 * The immediate dominator of each node: the closest other node that every way from the start to it
 * passes. That of the start is itself, and -1 stands for nodes that are not within. By the
 * algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm"): assume, correct,
 * and go over the nodes again until nothing changes.
 */
export function findDominators(graph: Graph, within: Nodes): Int32Array {
  const nodes = sortFromStart(graph, within);
  const positions = new Int32Array(graph.start + 1).fill(UNREACHED);
  for (const [position, node] of nodes.entries()) positions[node] = position;
  const above = new Int32Array(nodes.length).fill(UNREACHED);
  above[0] = 0;
  for (let isSettled = false; !isSettled;) {
    isSettled = true;
    for (let position = 1; position < nodes.length; position += 1) {
      const sources = (graph.into[nodes[position]!] ?? []).map(({ from }) => positions[from]!);
      const known = sources.filter((source) => source !== UNREACHED && above[source] !== UNREACHED);
      const common = known.reduce((one, other) => commonDominator(above, one, other));
      isSettled &&= above[position] === common;
      above[position] = common;
    }
  }
  return positions.map((position) =>
    position === UNREACHED ? UNREACHED : nodes[above[position]!]!,
  );
}

/** The lowest node above both, by their positions in the order. */
function commonDominator(above: Int32Array, one: number, other: number): number {
  while (one !== other) {
    if (one > other) one = above[one]!;
    else other = above[other]!;
  }
  return one;
}

/**
 * The nodes that the start reaches, in an order in which most come behind all that lead to them
 * (reverse postorder).
 */
function sortFromStart({ out, start }: Graph, within: Nodes): number[] {
  const left: number[] = [];
  const seen = new Set([start]);
  const trail = [{ node: start, next: 0 }];
  for (let top = trail.at(-1); top; top = trail.at(-1)) {
    const edge = out[top.node]?.[top.next++];
    if (!edge) left.push(trail.pop()!.node);
    else if (within[edge.to] && !seen.has(edge.to)) {
      seen.add(edge.to);
      trail.push({ node: edge.to, next: 0 });
    }
  }
  return left.reverse();
}
