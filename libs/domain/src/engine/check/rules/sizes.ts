import { placedBlocks } from '../problems/places.js';
import { error } from '../problems/problem.js';
import type { Rule } from './checked-draft.js';

const MAX_BLOCKS = 1_000;
const MAX_PATHS = 5_000;

/**
 * A flow has at most 1,000 blocks, items counted, and 5,000 paths, those of the start counted (S4).
 */
export const checkSizes: Rule = ({ draft }) => {
  const blocks = placedBlocks(draft).length;
  const paths = draft.blocks.reduce((sum, block) => sum + block.paths.length, draft.start.length);
  return [
    ...(blocks > MAX_BLOCKS
      ? [
          error(
            'flow.too-many-blocks',
            ['blocks'],
            `${blocks} blocks and items, more than ${MAX_BLOCKS}`,
          ),
        ]
      : []),
    ...(paths > MAX_PATHS
      ? [
          error(
            'flow.too-many-paths',
            ['blocks'],
            `${paths} paths, more than ${MAX_PATHS} (one per target)`,
          ),
        ]
      : []),
  ];
};
