import type { BlockDraft, FlowDraft } from '../../definition/definition.js';
import { hasOnePath, transitionNames } from '../../definition/names.js';

/** A path between two nodes, by index. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly names: readonly string[];
}

/**
 * Blocks as nodes, numbered as in the draft, and the start after them; paths to nowhere and to a
 * finish are left out.
 */
export interface Graph {
  readonly blocks: readonly BlockDraft[];
  /** Number of the start. */
  readonly start: number;
  readonly out: readonly (readonly Edge[])[];
  readonly into: readonly (readonly Edge[])[];
}

export function buildGraph({ blocks, start }: FlowDraft): Graph {
  const numbers = new Map<string, number>();
  for (const [number, { id }] of blocks.entries())
    if (id !== 'finish' && !numbers.has(id)) numbers.set(id, number);
  const out: Edge[][] = [...blocks, null].map(() => []);
  const into: Edge[][] = out.map(() => []);
  const add = (from: number, to: number | undefined, names: readonly string[]): void => {
    if (to === undefined) return;
    const edge = { from, to, names };
    out[from]?.push(edge);
    into[to]?.push(edge);
  };
  for (const id of start) add(blocks.length, numbers.get(id), []);
  for (const [from, block] of blocks.entries())
    for (const { names, to } of block.paths) add(from, numbers.get(to), names);
  return { blocks, start: blocks.length, out, into };
}

/** A set of nodes: not 0 for those that are in it. */
export type Nodes = Uint8Array;

/** Nodes that the start leads to, itself included, without passing through one. */
export function reachedFromStart({ out, start }: Graph, without?: number): Nodes {
  const within = new Uint8Array(start + 1).fill(1);
  if (without !== undefined) within[without] = 0;
  return closure(start, within, out, 'to');
}

/** Nodes that lead to one, itself included, by ways within some. */
export function leadingTo({ into }: Graph, to: number, within: Nodes): Nodes {
  return closure(to, within, into, 'from');
}

function closure(first: number, within: Nodes, edges: Graph['out'], end: 'to' | 'from'): Nodes {
  const reached = new Uint8Array(within.length);
  const pending = [first];
  reached[first] = 1;
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (const edge of edges[node] ?? []) {
      const next = edge[end];
      if (reached[next] || !within[next]) continue;
      reached[next] = 1;
      pending.push(next);
    }
  }
  return reached;
}

/** The names of which a user or a condition takes one; null where all paths are taken (S3, S15). */
export function exclusiveNames({ blocks }: Graph, node: number): readonly string[] | null {
  const block = blocks[node];
  return !block || hasOnePath(block.type) ? null : transitionNames(block);
}
