import type { PlannedUsers } from '@waymark/domain/analysis';
import { titleOf, type Titles } from '../controls/titled.js';
import { countText } from '../controls/time.js';
import type { MigrationStrategy } from '@waymark/domain/engine';

/** What publishing can mean for users who are in an older version, in words. */
export const MIGRATIONS: Readonly<Record<MigrationStrategy, { short: string; long: string }>> = {
  'carry-over': {
    short: 'keep their place',
    long: 'Everybody keeps their place, as far as the blocks are still there.',
  },
  'restart-in-progress': {
    short: 'start again if in progress',
    long: 'Users in progress start again from the beginning.',
  },
  'restart-all': {
    short: 'start again',
    long: 'Everybody starts again, those who have finished too.',
  },
  'stop-in-progress': {
    short: 'are stopped if in progress',
    long: 'Users in progress are stopped.',
  },
};

/**
 * How many users are in blocks that a version no longer has, and in which; empty where nobody is.
 */
export function lostInWords({ losing, lost }: PlannedUsers, titles: Titles): string {
  if (losing === 0) return '';
  // Containers come before their items, as in the flow.
  const order = Object.keys(titles);
  const blocks = Object.entries(lost)
    .sort(([one], [other]) => order.indexOf(one) - order.indexOf(other))
    .map(([block, count]) => `${titleOf(titles, block) ?? block} ${countText(count)}`);
  const rest = blocks.length > MOST_BLOCKS ? ' and others' : '';
  const users = losing === 1 ? '1 user is' : `${countText(losing)} users are`;
  return `${users} in blocks that this version no longer has: ${blocks.slice(0, MOST_BLOCKS).join(', ')}${rest}.`;
}

const MOST_BLOCKS = 6;

/** What a version does to users who are in an older one, in a few words. */
export function usersInWords(users: PlannedUsers | undefined): string {
  if (!users || users.total === 0) return 'nobody is in an older version';
  const happens = [
    [users.kept, 'keep their place'],
    [users.restarted, 'start again'],
    [users.stopped, 'are stopped'],
    [users.finished, 'are finished by it'],
    [users.dependsOnGroup, 'depend on their group'],
  ] as const;
  return happens
    .flatMap(([count, words]) => (count > 0 ? `${countText(count)} ${words}` : []))
    .join(', ');
}
