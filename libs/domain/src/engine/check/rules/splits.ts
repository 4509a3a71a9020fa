import { HIGHEST_SHARE, type SplitDraft } from '../../definition/definition.js';
import { error, type Problem } from '../problems/problem.js';
import type { Rule } from './checked-draft.js';

/** A split has ways to choose from, and shares that say how often each is chosen (K1, K2). */
export const checkSplits: Rule = ({ draft }) =>
  draft.blocks.flatMap((block) => (block.type === 'split' ? checkSplit(block) : []));

function checkSplit({ id, ways }: SplitDraft): Problem[] {
  const place = ['blocks', id, 'paths'];
  if (ways.length < 2)
    return [
      error(
        'split.too-few-ways',
        place,
        `split ${id} needs at least two paths: NAME: { share: 50, to: BLOCK }`,
      ),
    ];
  const bad = ways.filter(({ share }) => !isShare(share));
  if (bad.length === 0 && ways.every(({ share }) => share === 0))
    return [error('split.without-share', place, `no way of split ${id} has a share above 0`)];
  return bad.map(({ name, share }) =>
    error(
      'split.bad-share',
      [...place, name, 'share'],
      `a share is a whole number from 0 to ${HIGHEST_SHARE}, not ${share}`,
    ),
  );
}

const isShare = (share: number): boolean =>
  Number.isInteger(share) && share >= 0 && share <= HIGHEST_SHARE;
