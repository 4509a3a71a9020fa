export * from './database-failure.js';
export * from './database.js';
export * from './is-distributed.js';
export * from './reference-revision.js';
export * from './reference-watch.js';
export * from './statement.js';
