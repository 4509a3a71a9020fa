import type { Graph, Nodes } from './graph.js';

const UNREACHED = -1;

/** The nodes that the start reaches, in the order in which a walk depth first finds them; a rank is a place in that order. */
interface Tree {
  readonly nodes: readonly number[];
  /** Rank of each node, -1 of those that are not reached. */
  readonly ranks: Int32Array;
  /** By rank: the rank of the node from which the walk came. */
  readonly parents: readonly number[];
}

/**
 * For each node within some the next one above it that every way from the start passes, the start's own being itself;
 * -1 elsewhere. Computed as Semi-NCA (Georgiadis, "Linear-Time Algorithms for Dominators and Related Problems"), which
 * goes over the paths once, however many of them lead back.
 */
export function findDominators(graph: Graph, within: Nodes): Int32Array {
  const tree = growTree(graph, within);
  const dominators = [...tree.parents];
  for (const [rank, limit] of findSemidominators(graph, tree).entries()) {
    let above = dominators[rank] ?? 0;
    while (above > limit) above = dominators[above] ?? 0;
    dominators[rank] = above;
  }
  const found = new Int32Array(graph.start + 1).fill(UNREACHED);
  for (const [rank, node] of tree.nodes.entries()) found[node] = tree.nodes[dominators[rank] ?? 0] ?? graph.start;
  return found;
}

function growTree({ out, start }: Graph, within: Nodes): Tree {
  const nodes: number[] = [];
  const parents: number[] = [];
  const ranks = new Int32Array(start + 1).fill(UNREACHED);
  const pending = [{ node: start, parent: 0 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, parent } = next;
    if (ranks[node] !== UNREACHED || !within[node]) continue;
    const rank = nodes.length;
    ranks[node] = rank;
    nodes.push(node);
    parents.push(parent);
    for (const { to } of out[node] ?? []) pending.push({ node: to, parent: rank });
  }
  return { nodes, ranks, parents };
}

/** By rank: the lowest rank from which a way leads there through higher ranks alone. */
function findSemidominators({ into }: Graph, { nodes, ranks, parents }: Tree): Int32Array {
  const lowest = Int32Array.from(nodes.keys());
  const branches = new Branches(parents);
  for (let rank = nodes.length - 1; rank > 0; rank -= 1) {
    let least = rank;
    for (const { from } of into[nodes[rank] ?? 0] ?? []) {
      const source = ranks[from] ?? UNREACHED;
      if (source !== UNREACHED) least = Math.min(least, branches.leastAbove(source, rank));
    }
    lowest[rank] = least;
    branches.set(rank, least);
  }
  return lowest;
}

/** The tree above each rank, with what is known of every rank on the way up. Ways once gone are made short. */
class Branches {
  readonly #up: Int32Array;
  readonly #least: Int32Array;

  constructor(parents: readonly number[]) {
    this.#up = Int32Array.from(parents);
    this.#least = Int32Array.from(parents.keys());
  }

  set(rank: number, least: number): void {
    this.#least[rank] = least;
  }

  /** The least value from a rank upwards, of ranks above `floor` alone; the rank's own if it is none of them. */
  leastAbove(rank: number, floor: number): number {
    const trail: number[] = [];
    let top = rank;
    for (let up = this.#up[top] ?? 0; up > floor; up = this.#up[top] ?? 0) {
      trail.push(top);
      top = up;
    }
    const up = this.#up[top] ?? 0;
    let least = this.#least[top] ?? top;
    for (const passed of trail.reverse()) {
      least = Math.min(least, this.#least[passed] ?? passed);
      this.#least[passed] = least;
      this.#up[passed] = up;
    }
    return least;
  }
}
