import type { BlockDraft, Path } from '../../definition/definition.js';
import { transitionNames } from '../../definition/names.js';
import { placedPaths, startPlace } from '../problems/places.js';
import { error, type Problem } from '../problems/problem.js';
import type { Rule, CheckedDraft } from './checked-draft.js';
import { didYouMean, type Suggest, suggestFrom } from '../problems/suggest.js';

const NAME = /^[A-Za-z0-9][A-Za-z0-9 _.-]{0,127}$/;

/**
 * Paths carry names that their block has (S3) and lead to blocks of the flow or to `finish` (S1).
 */
export const checkPaths: Rule = (checked) => {
  const { draft, blocks } = checked;
  const suggest = suggestFrom([...blocks.keys(), 'finish']);
  return [
    ...draft.start.flatMap((to, index) =>
      checkTarget(checked, to, startPlace(draft, index), suggest),
    ),
    ...draft.blocks.flatMap(checkNamesWithoutPath),
    ...draft.blocks.flatMap((block) =>
      placedPaths(block).flatMap(({ path, place }) => [
        ...checkPathNames(block, path, place),
        ...checkTarget(checked, path.to, place, suggest),
      ]),
    ),
  ];
};

function checkTarget(
  { blocks, items }: CheckedDraft,
  to: string,
  place: Problem['place'],
  suggest: Suggest,
): Problem[] {
  if (to === 'finish' || blocks.has(to)) return [];
  const container = items.get(to)?.container;
  if (container) {
    const owner = `${container.type} ${container.id}`;
    return [
      error(
        'path.to-item',
        place,
        `"${to}" is an item of ${owner}; a path leads to blocks only, such as ${container.id}`,
      ),
    ];
  }
  const advice = suggest(to) || '; a target is a block of this flow or "finish"';
  return [error('path.unknown-target', place, `unknown target "${to}"${advice}`)];
}

function checkPathNames(block: BlockDraft, { names }: Path, place: Problem['place']): Problem[] {
  if (names.length === 0)
    return [error('path.without-name', place, `a path of ${block.id} carries no name`)];
  return names.flatMap((name) =>
    block.type === 'custom' || block.type === 'split'
      ? checkFreeName(name, place)
      : checkFixedName(block, name, place),
  );
}

function checkNamesWithoutPath(block: BlockDraft): Problem[] {
  const all = block.type === 'split' || 'names' in block ? transitionNames(block) : [];
  const pathed = new Set(block.paths.flatMap(({ names }) => names));
  const names = all.filter((name) => !pathed.has(name));
  return names.flatMap((name) => checkFreeName(name, ['blocks', block.id, 'paths', name]));
}

function checkFreeName(name: string, place: Problem['place']): Problem[] {
  if (NAME.test(name)) return [];
  const form =
    'use 1 to 128 letters, digits, spaces, "_", "." and "-", beginning with a letter or digit';
  return [error('path.bad-name', place, `"${name}" cannot name a path: ${form}`)];
}

function checkFixedName(block: BlockDraft, name: string, place: Problem['place']): Problem[] {
  const allowed = transitionNames(block);
  if (allowed.includes(name)) return [];
  const message = `a ${block.type} has no path "${name}", only ${allowed.map((each) => `"${each}"`).join(' and ')}`;
  return [error('path.unknown-name', place, message + didYouMean(name, allowed))];
}
