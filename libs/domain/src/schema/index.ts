export * from './data-source.js';
export * from './event-places.js';
export * from './holds-data.js';
export * from './migrate.js';
export * from './migrations/index.js';
export * from './distribute-tables.js';
export * from './distribution.js';
