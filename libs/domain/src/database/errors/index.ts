export * from './database-failure.js';
export * from './domain-error.js';
