export * from './data-source.js';
export * from './migrate.js';
export * from './migrations/index.js';
export * from './distribute-tables.js';
export * from './distribution.js';
