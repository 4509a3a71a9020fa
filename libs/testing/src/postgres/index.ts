export { administer } from './administer.js';
export { rehearseCitus } from './citus-database.js';
export {
  createTestDatabase,
  type TestDatabase,
  isDistributedRun,
  onOneServer,
  useTestDatabase,
} from './create-test-database.js';
export { startThrowawayPostgres, type ThrowawayPostgres } from './throwaway-postgres.js';
