export { administer } from './administer.js';
export { rehearseCitus } from './citus-database.js';
export { createTestDatabase, type TestDatabase } from './create-test-database.js';
export { isDistributedRun, onOneServer } from './on-one-server.js';
export { startThrowawayPostgres, type ThrowawayPostgres } from './throwaway-postgres.js';
export { useTestDatabase } from './use-test-database.js';
