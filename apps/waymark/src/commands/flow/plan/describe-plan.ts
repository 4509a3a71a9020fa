import type { Plan, PlanExample } from '@waymark/domain/impact';
import { countUsers, inPercent, inDigits } from '../../../output/numbers.js';
import { describeLost } from './forbidden.js';

/** A plan in words: what changes, what happens to whom, and what has to be known. */
export function describePlan(plan: Plan, environment: string): string {
  const { flow, version, differs, differences, notes } = plan;
  if (!differs) return `${flow}: nothing differs from version ${version}, so a commit makes no version`;
  return [
    `${flow} version ${version}, ${plan.migration}, in ${environment}`,
    ...differences.map(({ text }) => `  ${text}`),
    ...describeUsers(plan),
    ...notes.map((note) => `note: ${note}`),
  ].join('\n');
}

/** What happens to users, a line for each kind of it. */
export function describeUsers({ users, effects, entries, sampled, examples }: Plan): string[] {
  const { total, kept, restarted, stopped, finished, lost, gates, dependsOnGroup } = users;
  const named = (what: PlanExample['what']): string => describeExamples(examples.filter((example) => example.what === what));
  return [
    sampled
      ? `of the first ${countUsers(sampled.users)}, a fair sample whose shares are off by ${inPercent(sampled.margin, 1)} at most, ${inDigits(total)} have been in it:`
      : `${countUsers(total)} with a state in an older version:`,
    `  ${countUsers(kept)} where they were`,
    ...line(restarted, `restarted${named('restarted')}`),
    ...line(stopped, `stopped${named('stopped')}`),
    ...line(finished, `finished by it${named('finished')}`),
    ...(Object.keys(lost).length > 0 ? [`  blocks that are gone with users in them: ${describeLost(lost)}${named('lost')}`] : []),
    ...counts('gates that are passed by it', gates),
    ...counts('webhooks and triggers that fire', effects),
    ...line(dependsOnGroup, 'whose way depends on which of their groups the application names'),
    ...(entries ? describeEntries(entries, named) : []),
  ];
}

const line = (users: number, what: string): string[] => (users === 0 ? [] : [`  ${countUsers(users)} ${what}`]);

function counts(what: string, byBlock: Readonly<Record<string, number>>): string[] {
  const all = Object.entries(byBlock).map(([block, count]) => `${block} ${inDigits(count)}`);
  return all.length === 0 ? [] : [`  ${what}: ${all.join(', ')}`];
}

function describeEntries({ enter, leave }: NonNullable<Plan['entries']>, named: (what: PlanExample['what']) => string): string[] {
  return [
    `${countUsers(enter)} would enter at the next read and would not now${named('enter')}`,
    `${countUsers(leave)} would enter now and would not then${named('leave')}`,
  ];
}

function describeExamples(examples: readonly PlanExample[]): string {
  const names = [...new Set(examples.flatMap(({ users }) => users))];
  return names.length === 0 ? '' : `, such as ${names.join(', ')}`;
}
