export * from './access/index.js';
export * from './bootstrap/index.js';
export * from './config/index.js';
export * from './docs/index.js';
export * from './errors/index.js';
export * from './health/index.js';
export * from './metrics/index.js';
