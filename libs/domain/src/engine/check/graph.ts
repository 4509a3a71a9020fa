import type { BlockDraft, FlowDraft } from '../definition.js';
import { transitionNames } from '../names.js';

/** A path between two nodes, by index. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly names: readonly string[];
}

/** Blocks as nodes, numbered as in the draft, and the start after them; paths to nowhere and to a finish are left out. */
export interface Graph {
  readonly blocks: readonly BlockDraft[];
  /** Number of the start. */
  readonly start: number;
  readonly out: readonly (readonly Edge[])[];
  readonly into: readonly (readonly Edge[])[];
}

export function buildGraph({ blocks, start }: FlowDraft): Graph {
  const numbers = new Map<string, number>();
  for (const [number, { id }] of blocks.entries()) if (id !== 'finish' && !numbers.has(id)) numbers.set(id, number);
  const out: Edge[][] = [...blocks, null].map(() => []);
  const into: Edge[][] = out.map(() => []);
  const add = (from: number, to: number | undefined, names: readonly string[]): void => {
    if (to === undefined) return;
    const edge = { from, to, names };
    out[from]?.push(edge);
    into[to]?.push(edge);
  };
  for (const id of start) add(blocks.length, numbers.get(id), []);
  for (const [from, block] of blocks.entries()) for (const { names, to } of block.paths) add(from, numbers.get(to), names);
  return { blocks, start: blocks.length, out, into };
}

/** The part of a graph that consists of these nodes. */
export function restrict(graph: Graph, nodes: ReadonlySet<number>): Graph {
  const inside = (edges: readonly Edge[]): Edge[] => edges.filter(({ from, to }) => nodes.has(from) && nodes.has(to));
  return { ...graph, out: graph.out.map(inside), into: graph.into.map(inside) };
}

/** Nodes that the start leads to, itself included, without passing through one. */
export function reachedFromStart(graph: Graph, without?: number): ReadonlySet<number> {
  return closure(graph.start, (node) => (graph.out[node] ?? []).map((edge) => edge.to).filter((to) => to !== without));
}

/** Nodes that lead to one, itself included. */
export function leadingTo(graph: Graph, to: number): ReadonlySet<number> {
  return closure(to, (node) => (graph.into[node] ?? []).map((edge) => edge.from));
}

function closure(first: number, neighbours: (node: number) => number[]): ReadonlySet<number> {
  const reached = new Set<number>();
  const pending = [first];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (reached.has(node)) continue;
    reached.add(node);
    pending.push(...neighbours(node));
  }
  return reached;
}

/** The names of which a user or a condition takes one; null where all paths are taken (S3, S15). */
export function exclusiveNames({ blocks }: Graph, node: number): readonly string[] | null {
  const block = blocks[node];
  if (!block || block.type === 'gate' || block.type === 'webhook' || block.type === 'flow-trigger') return null;
  return transitionNames(block);
}
