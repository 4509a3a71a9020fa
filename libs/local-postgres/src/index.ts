export { removeData } from './data-dir.js';
export { PostgresFailure } from './postgres-failure.js';
export { sharePostgres, type SharedPostgres } from './share-postgres.js';
export { type PostgresOptions, startPostgres } from './start-postgres.js';
export type { RunningPostgres, StopMode } from './server-process.js';
