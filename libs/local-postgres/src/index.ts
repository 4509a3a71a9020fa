export { removeData } from './data-dir.js';
export { sharePostgres } from './share-postgres.js';
export { startPostgres } from './start-postgres.js';
export type { RunningPostgres, StopMode } from './server-process.js';
