export { administer } from './administer.js';
export { createTestDatabase, type TestDatabase } from './create-test-database.js';
export { startThrowawayPostgres, type ThrowawayPostgres } from './throwaway-postgres.js';
