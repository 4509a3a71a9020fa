import { findDominators } from '../graph/dominators.js';
import {
  exclusiveNames,
  type Graph,
  leadingTo,
  type Nodes,
  reachedFromStart,
} from '../graph/graph.js';
import { type Problem, warning } from '../problems/problem.js';
import { ReachedOnce } from '../graph/reached-once.js';
import type { Rule } from './checked-draft.js';

/** Warns of gates that can never open, because no user can bring all their inputs (S4, S16). */
export const checkGates: Rule = ({ graph }) => {
  const reached = reachedFromStart(graph);
  return graph.blocks.flatMap((block, gate) => {
    if (block.type !== 'gate' || !reached[gate]) return [];
    const inputs = new Set(
      (graph.into[gate] ?? []).map((edge) => edge.from).filter((from) => reached[from]),
    );
    const reason = findObstacle(graph, gate, [...inputs]);
    return reason === null ? [] : [neverOpens(block.id, reason)];
  });
};

function neverOpens(id: string, reason: string): Problem {
  return warning('gate.never-opens', ['blocks', id], `gate ${id} can never open: ${reason}`);
}

/** Why the inputs cannot come together, or null when they can, as far as the paths show. */
function findObstacle(graph: Graph, gate: number, inputs: readonly number[]): string | null {
  // What happens before the gate opens for the first time; if it cannot open then, it never will.
  const before = reachedFromStart(graph, gate);
  const behind = inputs.find((input) => !before[input]);
  if (behind !== undefined)
    return `it waits for ${nameOf(graph, behind)}, which lies behind the gate itself`;
  if (inputs.length < 2) return null;
  const above = findDominators(graph, before);
  const reachedOnce = new ReachedOnce(graph, before, above);
  const ways = new Map<number, Nodes>();
  for (const [fork, dependents] of findForks(graph, inputs, above)) {
    for (const input of dependents)
      if (!ways.has(input)) ways.set(input, leadingTo(graph, input, before));
    if (bringsTogether(graph, { fork, gate }, dependents, ways)) continue;
    if (reachedOnce.has(fork)) return describeFork(graph, fork, dependents);
  }
  return null;
}

/**
 * Blocks that take one of several ways, with the inputs that no user can bring without passing
 * them, where these part: above there they share a way, so that whatever brings one brings all.
 */
function findForks(
  graph: Graph,
  inputs: readonly number[],
  above: Int32Array,
): [number, number[]][] {
  const found = new Map<number, { inputs: number[]; ways: Set<number> }>();
  for (const input of inputs) {
    for (let [way, node] = [input, input]; ; [way, node] = [node, above[node] ?? graph.start]) {
      const entry = found.get(node) ?? { inputs: [], ways: new Set() };
      found.set(node, entry);
      entry.inputs.push(input);
      entry.ways.add(way);
      if (node === graph.start) break;
    }
  }
  return [...found].flatMap(([node, { inputs: dependents, ways }]) =>
    ways.size > 1 && exclusiveNames(graph, node) !== null ? [[node, dependents]] : [],
  );
}

/** Whether some single name of the fork leads to all inputs that depend on it. */
function bringsTogether(
  graph: Graph,
  { fork, gate }: { fork: number; gate: number },
  dependents: readonly number[],
  ways: ReadonlyMap<number, Nodes>,
): boolean {
  const brought = new Map<string, Set<number>>();
  for (const { names, to } of graph.out[fork] ?? []) {
    const inputs = dependents.filter((input) =>
      input === fork ? to === gate : to !== gate && ways.get(input)?.[to],
    );
    for (const name of names) brought.set(name, new Set([...(brought.get(name) ?? []), ...inputs]));
  }
  return [...brought.values()].some((inputs) => inputs.size === dependents.length);
}

function describeFork(graph: Graph, fork: number, dependents: readonly number[]): string {
  const inputs = dependents.map((input) => nameOf(graph, input)).join(' and ');
  const ways =
    graph.blocks[fork]?.type === 'branch' ? 'opposite outcomes of' : 'different names of';
  return `it waits for ${inputs}, which lie behind ${ways} ${nameOf(graph, fork)}, and that is left only once`;
}

function nameOf({ blocks }: Graph, node: number): string {
  const block = blocks[node];
  return block ? `${block.type} ${block.id}` : 'the start';
}
