import { exclusiveNames, type Edge, type Graph, type Nodes } from './graph.js';

/**
 * The nodes that are reached at most once in a run that stays within some nodes, whatever the user
 * does. None when in doubt: a warning that rests on it must be right. `above` are the dominators of
 * these nodes.
 */
export class ReachedOnce {
  private readonly known: Map<number, boolean>;

  constructor(
    private readonly graph: Graph,
    private readonly within: Nodes,
    private readonly above: Int32Array,
  ) {
    this.known = new Map([[graph.start, true]]);
  }

  /**
   * Goes down from dominator to dominator: whatever is reached twice brings all that lies behind it
   * twice.
   */
  has(node: number): boolean {
    const fixtures: number[] = [];
    let top = node;
    for (; !this.known.has(top); top = this.dominatorOf(top)) fixtures.push(top);
    let isOnce = this.known.get(top) ?? false;
    for (const next of fixtures.reverse()) {
      isOnce &&= this.isReachedOnceFrom(this.dominatorOf(next), next);
      this.known.set(next, isOnce);
    }
    return isOnce;
  }

  private dominatorOf(node: number): number {
    return this.above[node] ?? this.graph.start;
  }

  private isReachedOnceFrom(dominator: number, node: number): boolean {
    const order = sortByPaths(this.graph, this.between(dominator, node));
    return order !== null && countOccasions(this.graph, order) <= 1;
  }

  /** All that lies on a way from a node's dominator to it, both included. */
  private between(dominator: number, node: number): Set<number> {
    const members = new Set([node, dominator]);
    const pending = [node];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      for (const { from } of this.graph.into[at] ?? []) {
        if (!this.within[from] || members.has(from)) continue;
        members.add(from);
        pending.push(from);
      }
    }
    return members;
  }
}

/** The nodes so that every path leads forward; null when some lie on a circle. */
function sortByPaths({ out, into }: Graph, nodes: ReadonlySet<number>): number[] | null {
  const waiting = new Map<number, number>();
  for (const node of nodes)
    waiting.set(node, (into[node] ?? []).filter(({ from }) => nodes.has(from)).length);
  const sorted: number[] = [];
  const ready = [...nodes].filter((node) => waiting.get(node) === 0);
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    sorted.push(node);
    for (const { to } of out[node] ?? []) {
      if (!nodes.has(to)) continue;
      const left = (waiting.get(to) ?? 0) - 1;
      waiting.set(to, left);
      if (left === 0) ready.push(to);
    }
  }
  return sorted.length === nodes.size ? sorted : null;
}

/**
 * How often one visit to the first node of the order can reach the last, at most: an exit takes one
 * name, everything else takes all its paths.
 */
function countOccasions(graph: Graph, order: readonly number[]): number {
  const [node, ...earlier] = order.toReversed();
  const occasions = new Map(node === undefined ? [] : [[node, 1]]);
  const members = new Set(order);
  for (const from of earlier) {
    const counts = new Map<string | null, number>();
    const names = exclusiveNames(graph, from);
    let most = 0;
    for (const edge of graph.out[from] ?? []) {
      const behind = isCounted(graph, edge, members) ? (occasions.get(edge.to) ?? 0) : 0;
      for (const name of names === null ? [null] : new Set(edge.names)) {
        const count = (counts.get(name) ?? 0) + behind;
        counts.set(name, count);
        most = Math.max(most, count);
      }
    }
    // Capped, since a thousand forks in a row would leave the numbers behind.
    occasions.set(from, Math.min(2, most));
  }
  return occasions.get(order[0] ?? graph.start) ?? 0;
}

/**
 * A gate passes no more often than any one of its inputs arrives, so that counting one is enough.
 */
function isCounted({ blocks, into }: Graph, edge: Edge, members: ReadonlySet<number>): boolean {
  if (blocks[edge.to]?.type !== 'gate') return true;
  return into[edge.to]?.find(({ from }) => members.has(from))?.from === edge.from;
}
