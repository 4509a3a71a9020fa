import { type Leading, targetsByNames } from '../keys/targets-by-names.js';
import type { Place } from '../source/file-problem.js';
import { listOf } from '../source/wording.js';
import { type Difference, reordered } from './difference.js';

/** Former identifiers, with what the same blocks are called now. */
export type Renames = ReadonlyMap<string, string>;

/** Where each path leads now and led before, apart from blocks that were only renamed. */
export function diffPaths(
  place: Place,
  what: string,
  before: Leading,
  after: Leading,
  renames: Renames,
): Difference[] {
  const former = targetsByNames({
    ...before,
    paths: before.paths.map(({ names, to }) => ({ names, to: renames.get(to) ?? to })),
  });
  const present = targetsByNames(after);
  const removed = [...former.keys()].filter((names) => !present.has(names));
  return [
    ...removed.map((names): Difference => ({
      kind: 'removed',
      place: [...place, names],
      text: `path ${names} of ${what} is removed`,
    })),
    ...[...present].flatMap(([names, targets]) =>
      diffPath([...place, names], `path ${names} of ${what}`, former.get(names), targets),
    ),
    // Paths are followed in the order of the definition (S12).
    ...reordered(place, `the paths of ${what}`, former.keys(), present.keys(), '; '),
  ];
}

function diffPath(
  place: Place,
  path: string,
  before: readonly string[] | undefined,
  after: readonly string[],
): Difference[] {
  if (!before)
    return [{ kind: 'added', place, text: `${path} is added and leads ${whereTo(after)}` }];
  if (before.join() === after.join()) return [];
  return [
    { kind: 'changed', place, text: `${path} leads ${whereTo(after)}, led ${whereTo(before)}` },
  ];
}

function whereTo(targets: readonly string[]): string {
  return targets.length === 0 ? 'nowhere' : `to ${listOf(targets)}`;
}
