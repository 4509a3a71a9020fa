export * from './worker-lifecycle.js';
