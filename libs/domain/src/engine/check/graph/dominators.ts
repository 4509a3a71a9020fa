import type { Graph, Nodes } from './graph.js';

const UNREACHED = -1;

/**
 * For each node within some the next one above it that every way from the start passes, the start's own being itself;
 * -1 elsewhere. Computed as Cooper, Harvey and Kennedy do ("A Simple, Fast Dominance Algorithm"): assume, correct, and
 * go over the nodes again until nothing changes.
 */
export function findDominators(graph: Graph, within: Nodes): Int32Array {
  const nodes = sortFromStart(graph, within);
  const places = new Int32Array(graph.start + 1).fill(UNREACHED);
  for (const [place, node] of nodes.entries()) places[node] = place;
  const above = new Int32Array(nodes.length).fill(UNREACHED);
  above[0] = 0;
  for (let isSettled = false; !isSettled;) {
    isSettled = true;
    for (let place = 1; place < nodes.length; place += 1) {
      const sources = (graph.into[nodes[place]!] ?? []).map(({ from }) => places[from]!);
      const known = sources.filter((source) => source !== UNREACHED && above[source] !== UNREACHED);
      const common = known.reduce((one, other) => meet(above, one, other));
      isSettled &&= above[place] === common;
      above[place] = common;
    }
  }
  return places.map((place) => (place === UNREACHED ? UNREACHED : nodes[above[place]!]!));
}

/** Where the ways up from two places come together. */
function meet(above: Int32Array, one: number, other: number): number {
  while (one !== other) {
    if (one > other) one = above[one]!;
    else other = above[other]!;
  }
  return one;
}

/** The nodes that the start reaches, in an order in which most come behind all that lead to them (reverse postorder). */
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
