import { Dominators } from './dominators.js';
import { exclusiveNames, type Graph, leadingTo, reachedFromStart, restrict } from './graph.js';
import { isReachedOnce } from './occasions.js';
import { type Problem, warning } from './problem.js';
import type { Rule } from './subject.js';

/** Warns of gates that can never open, because no user can bring all their inputs (S4, S16). */
export const checkGates: Rule = ({ graph }) => {
  const reached = reachedFromStart(graph);
  return graph.blocks.flatMap((block, gate) => {
    if (block.type !== 'gate' || !reached.has(gate)) return [];
    const inputs = new Set((graph.into[gate] ?? []).map((edge) => edge.from).filter((from) => reached.has(from)));
    const reason = findObstacle(graph, gate, [...inputs]);
    return reason === null ? [] : [neverOpens(block.id, reason)];
  });
};

function neverOpens(id: string, reason: string): Problem {
  return warning('gate.never-opens', ['blocks', id], `gate ${id} can never open: ${reason}`);
}

/** Why the inputs cannot come together, or null when they can, as far as the paths tell. */
function findObstacle(graph: Graph, gate: number, inputs: readonly number[]): string | null {
  const before = reachedFromStart(graph, gate);
  const behind = inputs.find((input) => !before.has(input));
  if (behind !== undefined) return `it waits for ${nameOf(graph, behind)}, which lies behind the gate itself`;
  if (inputs.length < 2) return null;
  // What happens before the gate opens for the first time; if it cannot open then, it never will.
  const world = restrict(graph, before);
  for (const [fork, dependents] of findForks(world, inputs)) {
    const isOpen = bringsTogether(graph, world, { gate, fork, dependents });
    if (!isOpen && isReachedOnce(world, fork)) return describeFork(graph, fork, dependents);
  }
  return null;
}

/** Blocks that take one of several ways, with the inputs that no user can bring without passing them, two at least. */
function findForks(world: Graph, inputs: readonly number[]): [number, number[]][] {
  const dominators = new Dominators(world);
  const dependents = new Map<number, number[]>();
  for (const input of inputs) {
    for (const node of dominators.of(input)) {
      const depending = dependents.get(node);
      if (depending) depending.push(input);
      else dependents.set(node, [input]);
    }
  }
  return [...dependents].filter(([node, depending]) => depending.length > 1 && exclusiveNames(world, node) !== null);
}

/** Whether some single name of the fork leads to all inputs that depend on it. */
function bringsTogether(
  graph: Graph,
  world: Graph,
  { gate, fork, dependents }: Record<'gate' | 'fork', number> & { dependents: number[] },
): boolean {
  const brought = new Map<string, Set<number>>();
  const add = (names: readonly string[], input: number): void => {
    for (const name of names) brought.set(name, (brought.get(name) ?? new Set()).add(input));
  };
  for (const input of dependents) {
    const ways = leadingTo(world, input);
    for (const { names, to } of graph.out[fork] ?? []) {
      if (input === fork ? to === gate : ways.has(to)) add(names, input);
    }
  }
  return [...brought.values()].some((inputs) => inputs.size === dependents.length);
}

function describeFork(graph: Graph, fork: number, dependents: readonly number[]): string {
  const inputs = dependents.map((input) => nameOf(graph, input)).join(' and ');
  const block = graph.blocks[fork];
  const ways = block?.type === 'branch' ? 'opposite outcomes of' : 'different names of';
  return `it waits for ${inputs}, which lie behind ${ways} ${nameOf(graph, fork)}, and that is left only once`;
}

function nameOf({ blocks }: Graph, node: number): string {
  const block = blocks[node];
  return block ? `${block.type} ${block.id}` : 'the start';
}
