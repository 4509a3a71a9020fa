import type { BlockDraft } from '../../definition/definition.js';
import { isLogic } from '../../definition/names.js';
import type { Graph } from '../graph/graph.js';
import { error, type Problem } from '../problems/problem.js';
import type { Rule } from './checked-draft.js';

const MAX_NAMED = 10;

/**
 * Refuses circles of blocks that go on by themselves, at which no user could ever stop (S4, Z1);
 * one problem for each path that closes one.
 */
export const checkAutomaticCycles: Rule = ({ graph }) => {
  const done = new Set<number>();
  return graph.blocks.flatMap((block, number) =>
    takenByItself(block) !== null ? findCycles(graph, number, done) : [],
  );
};

/** Depth first; a path back to a block that is still being followed closes a circle. */
function findCycles(graph: Graph, first: number, done: Set<number>): Problem[] {
  const problems: Problem[] = [];
  const trail: { node: number; left: number[] }[] = [];
  const onTrail = new Set<number>();
  const enter = (node: number): void => {
    if (done.has(node)) return;
    onTrail.add(node);
    trail.push({ node, left: automaticTargets(graph, node) });
  };
  enter(first);
  for (let last = trail.at(-1); last; last = trail.at(-1)) {
    const target = last.left.shift();
    if (target === undefined) {
      onTrail.delete(last.node);
      done.add(last.node);
      trail.pop();
    } else if (onTrail.has(target)) {
      problems.push(
        cycleProblem(
          graph,
          trail.map(({ node }) => node),
          target,
        ),
      );
    } else enter(target);
  }
  return problems;
}

function cycleProblem({ blocks }: Graph, trail: readonly number[], target: number): Problem {
  const circle = [...trail.slice(trail.indexOf(target)), target].map(
    (node) => blocks[node]?.id ?? '',
  );
  const id = circle.at(-2) ?? '';
  const message = `automatic blocks lead in a circle: ${describeWay(circle)}; put a block that waits for the user, or a delay, into it`;
  return error('path.automatic-cycle', ['blocks', id], message);
}

/** Of a long way its beginning and its end: thousands of circles may share as many blocks. */
function describeWay(ids: readonly string[]): string {
  const more = ids.length - MAX_NAMED;
  const named =
    more > 0 ? [...ids.slice(0, MAX_NAMED - 2), `… (${more} more)`, ...ids.slice(-2)] : ids;
  return named.join(' -> ');
}

function automaticTargets({ blocks, out }: Graph, node: number): number[] {
  const taken = takenByItself(blocks[node]);
  const leading = (out[node] ?? []).filter(
    ({ names }) => taken === 'all' || names.some((name) => name === taken),
  );
  const targets = new Set(leading.map((edge) => edge.to));
  return [...targets].filter((to) => takenByItself(blocks[to]) !== null);
}

/**
 * The name that a block takes without its user, `all` of a logic block, or null; a delay ends the
 * step (Z4). A container completes by itself where all of its items may (Z1, S23).
 */
function takenByItself(block: BlockDraft | undefined): string | null {
  if (!block || block.type === 'delay') return null;
  if (isLogic(block.type)) return 'all';
  if ('done' in block && block.done) return block.done.take;
  const completes =
    'items' in block && block.items.length > 0 && block.items.every(({ done }) => done);
  return completes ? 'complete' : null;
}
