export * from './data-source.js';
export * from './database-failure.js';
export * from './database.js';
export * from './migrate.js';
export * from './migrations/index.js';
export * from './reference-revision.js';
export * from './reference-watch.js';
export * from './statement.js';
