/** How users with older state meet a version; chosen at commit (S28). */
export const MIGRATION_STRATEGIES = [
  'carry-over',
  'restart-in-progress',
  'restart-all',
  'stop-in-progress',
] as const;
export type MigrationStrategy = (typeof MIGRATION_STRATEGIES)[number];
