import type { PlannedUsers } from './plan.js';
import type { PlanSubject } from './plan-subject.js';

/** What has to be known to read the numbers. */
export function notesOf({ differs, compiled, version, pinned }: PlanSubject, { dependsOnGroup }: PlannedUsers): string[] {
  if (!differs) return [`it does not differ from version ${version}, so a commit makes no version`];
  const asks = compiled.hasBranch || typeof compiled.target !== 'string';
  const triggers = [...compiled.byUid.values()].some((block) => block.kind === 'effect' && block.effect.kind === 'flow-trigger');
  return [
    ...(pinned === null
      ? []
      : [
          `version ${pinned} is pinned here: readers of latest do not meet this one before it is unpinned, and this tells what happens then`,
        ]),
    'clients that ask for a version by its number never meet this one',
    ...(asks ? ['conditions were evaluated with the present properties and time'] : []),
    ...(triggers ? ['flows that are triggered were followed one level deep'] : []),
    ...(dependsOnGroup > 0
      ? [
          'what happens is told for requests that name no group; for users of several groups it may depend on the one that is named',
        ]
      : []),
  ];
}
