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
