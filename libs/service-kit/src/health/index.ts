export * from './health.controller.js';
export * from './readiness.js';
