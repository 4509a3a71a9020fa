export * from './health.controller.js';
export * from './paths.js';
export * from './readiness.js';
export * from './service-name.js';
