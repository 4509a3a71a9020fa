export * from './database.js';
export * from './is-distributed.js';
export * from './reference-watch.js';
export * from './statement.js';
