import { isLogic } from '../../definition/names.js';
import type { Graph } from '../graph/graph.js';
import { error, type Problem } from '../problems/problem.js';
import type { Rule } from './checked-draft.js';

const MAX_NAMED = 10;

/** Refuses circles of automatic blocks, at which no user could ever stop (S4); one problem for each path that closes one. */
export const checkAutomaticCycles: Rule = ({ graph }) => {
  const done = new Set<number>();
  return graph.blocks.flatMap((block, number) =>
    isLogic(block.type) ? findCycles(graph, number, done) : [],
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
  const message = `automatic blocks lead in a circle: ${describeWay(circle)}; put a block that waits for the user into it`;
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
  const targets = new Set((out[node] ?? []).map((edge) => edge.to));
  return [...targets].filter((to) => blocks[to] && isLogic(blocks[to].type));
}
