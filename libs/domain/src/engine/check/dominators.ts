import type { Graph } from './graph.js';

/**
 * The nodes that every way from the start to a node passes, nearest first, the node itself included.
 * Computed as by Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm").
 */
export class Dominators {
  /** Immediate dominator of each reached node; the start's is itself. */
  readonly #above = new Map<number, number>();
  readonly #rank = new Map<number, number>();

  constructor(readonly graph: Graph) {
    const order = postorder(graph);
    for (const [rank, node] of order.entries()) this.#rank.set(node, rank);
    this.#above.set(graph.start, graph.start);
    const others = order.toReversed().slice(1);
    for (let hasChanged = true; hasChanged;) {
      hasChanged = others.filter((node) => this.#update(node)).length > 0;
    }
  }

  /** From the node itself up to the start; empty for a node that is not reached. */
  of(node: number): number[] {
    const chain: number[] = [];
    for (let at = this.#above.has(node) ? node : undefined; at !== undefined;) {
      chain.push(at);
      const above = this.#above.get(at);
      at = above === at ? undefined : above;
    }
    return chain;
  }

  #update(node: number): boolean {
    const sources = (this.graph.into[node] ?? []).map((edge) => edge.from).filter((from) => this.#above.has(from));
    const above = sources.reduce((a, b) => this.#meet(a, b));
    if (this.#above.get(node) === above) return false;
    this.#above.set(node, above);
    return true;
  }

  #meet(a: number, b: number): number {
    let [left, right] = [a, b];
    while (left !== right) {
      if (this.#rankOf(left) < this.#rankOf(right)) left = this.#above.get(left) ?? left;
      else right = this.#above.get(right) ?? right;
    }
    return left;
  }

  #rankOf(node: number): number {
    return this.#rank.get(node) ?? 0;
  }
}

/** Reached nodes, each after all that were found from it; the start comes last. */
function postorder({ out, start }: Graph): number[] {
  const order: number[] = [];
  const seen = new Set([start]);
  const trail = [{ node: start, next: 0 }];
  for (let last = trail.at(-1); last; last = trail.at(-1)) {
    const to = out[last.node]?.[last.next]?.to;
    last.next += 1;
    if (to === undefined) order.push(trail.pop()?.node ?? start);
    else if (!seen.has(to)) {
      seen.add(to);
      trail.push({ node: to, next: 0 });
    }
  }
  return order;
}
