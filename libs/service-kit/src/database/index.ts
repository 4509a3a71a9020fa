export * from './open-database.js';
export * from './pending-migrations.js';
