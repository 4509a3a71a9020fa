import type { MigrationStrategy } from '@waymark/domain/engine';

/** What a commit may do to users with state in an older version; here too, so that the help need not load the engine (S28). */
export const STRATEGIES: readonly MigrationStrategy[] = ['carry-over', 'restart-in-progress', 'restart-all', 'stop-in-progress'];
