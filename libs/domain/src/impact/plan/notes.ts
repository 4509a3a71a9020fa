import type { PlannedUsers } from './plan.js';
import type { PlanSubject } from './plan-subject.js';

/** What has to be known to read the numbers. */
export function notesOf({ differs, compiled, version }: PlanSubject, { dependsOnGroup }: PlannedUsers): string[] {
  if (!differs) return [`it does not differ from version ${version}, so a commit makes none`];
  const asks = compiled.hasBranch || typeof compiled.target !== 'string';
  const triggers = [...compiled.byUid.values()].some((block) => block.kind === 'effect' && block.effect.kind === 'flow-trigger');
  return [
    'clients that ask for a version by its number never meet this one',
    ...(asks ? ['conditions were asked with the properties and the time of now'] : []),
    ...(triggers ? ['flows that are triggered were followed one level deep'] : []),
    ...(dependsOnGroup > 0
      ? ['where a condition looks at the group, what happens may depend on the one that the application passes']
      : []),
  ];
}
