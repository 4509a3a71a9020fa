import type { Plan, PlanExample } from '@waymark/domain/analysis';
import { InvalidArgumentError } from 'commander';
import { countUsers, inPercent, inDigits } from '../../../output/numbers.js';

/** A plan in words: what changes, what happens to which users, and warnings. */
export function describePlan(plan: Plan, environment: string): string {
  const { flow, version, differs, differences, notes } = plan;
  if (!differs)
    return `${flow}: nothing differs from version ${version}, so a commit makes no version`;
  return [
    `${flow} version ${version}, ${plan.migration}, in ${environment}`,
    ...differences.map(({ text }) => `  ${text}`),
    ...describeUsers(plan),
    ...notes.map((note) => `note: ${note}`),
  ].join('\n');
}

/** What a pull request may be kept from doing to users (I3). */
export const FORBIDDEN = ['restarts', 'stops', 'finishes', 'drops'] as const;
export type Forbidden = (typeof FORBIDDEN)[number];

const describeLost = (lost: Plan['users']['lost']): string =>
  Object.entries(lost)
    .map(([block, users]) => `${block} (${countUsers(users)})`)
    .join(', ');

/** What happens to users, a line for each kind of it. */
export function describeUsers({ users, effects, entries, sampled, examples }: Plan): string[] {
  const {
    total,
    kept,
    restarted,
    stopped,
    finished,
    losing,
    lost,
    gates,
    dependsOnGroup,
    ways = {},
    delays = {},
  } = users;
  const named = (what: PlanExample['what']): string =>
    describeExamples(examples.filter((example) => example.what === what));
  return [
    sampled
      ? `of the first ${countUsers(sampled.users)}, a fair sample whose shares are off by ${inPercent(sampled.margin, 1)} at most, ${inDigits(total)} have been in it:`
      : `${countUsers(total)} with a state in an older version:`,
    `  ${countUsers(kept)} where they were`,
    ...line(restarted, `restarted${named('restarted')}`),
    ...line(stopped, `stopped${named('stopped')}`),
    ...line(finished, `finished by it${named('finished')}`),
    ...line(losing, `in a block that is gone: ${describeLost(lost)}${named('lost')}`),
    ...counts('gates that are passed by it', gates),
    ...counts('users whose way through a split is gone', ways),
    ...counts('users who wait in a delay with a new time, and keep until when they wait', delays),
    ...counts('webhooks and triggers that fire', effects),
    ...line(dependsOnGroup, 'whose way depends on which of their groups the application names'),
    ...(entries ? describeEntries(entries, named) : []),
  ];
}

const line = (users: number, what: string): string[] =>
  users === 0 ? [] : [`  ${countUsers(users)} ${what}`];

function counts(what: string, byBlock: Readonly<Record<string, number>>): string[] {
  const all = Object.entries(byBlock).map(([block, count]) => `${block} ${inDigits(count)}`);
  return all.length === 0 ? [] : [`  ${what}: ${all.join(', ')}`];
}

function describeEntries(
  { enter, leave }: NonNullable<Plan['entries']>,
  named: (what: PlanExample['what']) => string,
): string[] {
  return [
    `${countUsers(enter)} would enter the next time the application asks and would not now${named('enter')}`,
    `${countUsers(leave)} would enter now and would not then${named('leave')}`,
  ];
}

function describeExamples(examples: readonly PlanExample[]): string {
  const names = [...new Set(examples.flatMap(({ users }) => users))];
  return names.length === 0 ? '' : `, such as ${names.join(', ')}`;
}

/** Reads a list such as `restarts,drops`. */
export function parseForbidden(text: string): readonly Forbidden[] {
  const kinds = text.split(',').map((kind) => kind.trim());
  const known = FORBIDDEN.filter((kind) => kinds.includes(kind));
  if (kinds.every((kind) => (FORBIDDEN as readonly string[]).includes(kind))) return known;
  throw new InvalidArgumentError(
    `Write some of ${FORBIDDEN.join(', ')}, with commas between them.`,
  );
}

/** A sentence for each forbidden thing that the plan would do to anybody. */
export function touched(
  { flow, migration, users, sampled }: Plan,
  forbid: readonly Forbidden[],
): string[] {
  const among = sampled ? ` among the first ${countUsers(sampled.users)}` : '';
  const sentences: Record<Forbidden, [number, string]> = {
    restarts: [users.restarted, `it restarts ${countUsers(users.restarted)}`],
    stops: [users.stopped, `it stops ${countUsers(users.stopped)}`],
    finishes: [users.finished, `it finishes the flow for ${countUsers(users.finished)}`],
    drops: [
      Object.keys(users.lost).length,
      `it drops blocks with users in them: ${describeLost(users.lost)}`,
    ],
  };
  return forbid
    .filter((kind) => sentences[kind][0] > 0)
    .map((kind) => `${flow} (${migration}): ${sentences[kind][1]}${among}`);
}
