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
  if (block.type !== 'branch' && block.type !== 'split') return [];
  const taken = new Set(block.paths.flatMap((path) => path.names));
  const dead = transitionNames(block).filter((name) => !taken.has(name));
  return dead.map((name) =>
    block.type === 'split'
      ? warning(
          'split.dead-way',
          [...place, name],
          `split ${block.id} leads nowhere by ${name}; write to: finish where its people see nothing`,
        )
      : warning(
          'branch.dead-outcome',
          [...place, name],
          `branch ${block.id} leads nowhere when its condition is ${name}`,
        ),
  );
}
