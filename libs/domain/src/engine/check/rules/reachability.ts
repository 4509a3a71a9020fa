import type { BlockDraft } from '../../definition/definition.js';
import { transitionNames } from '../../definition/names.js';
import { reachedFromStart } from '../graph/graph.js';
import { type Problem, warning } from '../problems/problem.js';
import type { Rule } from './checked-draft.js';

/** Warns of blocks that no user can reach and of paths without a target (S4). */
export const checkReachability: Rule = ({ graph }) => {
  const reached = reachedFromStart(graph);
  return graph.blocks.flatMap((block, number) => [
    ...(reached[number] ? [] : [unreachable(block)]),
    ...checkEnds(block),
  ]);
};

function unreachable({ id, type }: BlockDraft): Problem {
  return warning(
    'block.unreachable',
    ['blocks', id],
    `nothing reaches ${type} ${id}; lead a path to it from the start or from a block that is reached`,
  );
}

function checkEnds(block: BlockDraft): Problem[] {
  const place = ['blocks', block.id, 'paths'];
  if (block.type === 'custom' && block.paths.length === 0 && transitionNames(block).length === 0) {
    return [
      warning(
        'custom.without-paths',
        place,
        `custom block ${block.id} has no paths, so nobody can ever leave it`,
      ),
    ];
  }
  if (block.type !== 'branch') return [];
  const taken = new Set(block.paths.flatMap((path) => path.names));
  return ['true', 'false']
    .filter((outcome) => !taken.has(outcome))
    .map((outcome) =>
      warning(
        'branch.dead-outcome',
        [...place, outcome],
        `branch ${block.id} leads nowhere when its condition is ${outcome}`,
      ),
    );
}
