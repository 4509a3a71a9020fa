export * from './health.controller.js';
export * from './is-health.js';
export * from './readiness.js';
