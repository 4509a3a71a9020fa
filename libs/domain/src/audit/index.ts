export * from './audit-entry.js';
export { type Author, checkAuthor } from './author.js';
export * from './list-audit.js';
export * from './prune-audit.js';
export * from './record.js';
