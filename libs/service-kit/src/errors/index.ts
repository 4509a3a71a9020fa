export * from './answer.js';
export * from './client-error.js';
export * from './envelope.filter.js';
export * from './error-table.js';
export * from './refusal.js';
export * from './send-error.js';
export * from './send-raw-error.js';
export * from './start-error.js';
