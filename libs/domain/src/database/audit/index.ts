export * from './audit-entry.js';
export * from './list-audit.js';
export * from './record.js';
