import { type BlockTargets, targetsByNames } from '../keys/targets-by-names.js';
import type { Place } from '../source/file-problem.js';
import { listOf } from '../source/wording.js';
import { type Difference, reordered } from './difference.js';

/** Former identifiers, with what the same blocks are called now. */
export type Renames = ReadonlyMap<string, string>;

export interface Names {
  readonly renames: Renames;
  /** What a block or item is called in sentences, by identifier. */
  readonly nameOf: (id: string) => string;
}

/** Where each path leads now and led before, apart from blocks that were only renamed. */
export function diffPaths(
  place: Place,
  what: string,
  before: BlockTargets,
  after: BlockTargets,
  { renames, nameOf }: Names,
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
      diffPath([...place, names], `path ${names} of ${what}`, nameOf, former.get(names), targets),
    ),
    // Paths are followed in the order of the definition (S12).
    ...reordered(place, `the paths of ${what}`, former.keys(), present.keys(), '; '),
  ];
}

function diffPath(
  place: Place,
  path: string,
  nameOf: Names['nameOf'],
  before: readonly string[] | undefined,
  after: readonly string[],
): Difference[] {
  const leads = `leads ${describeTargets(after.map(nameOf))}`;
  if (!before) return [{ kind: 'added', place, text: `${path} is added and ${leads}` }];
  if (before.join() === after.join()) return [];
  const led = describeTargets(before.map(nameOf));
  return [{ kind: 'changed', place, text: `${path} ${leads}, led ${led}` }];
}

export function describeTargets(targets: readonly string[]): string {
  return targets.length === 0 ? 'nowhere' : `to ${listOf(targets)}`;
}
