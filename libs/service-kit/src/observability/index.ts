export * from './health.controller.js';
export * from './logger.js';
export * from './metrics.js';
export * from './metrics-server.js';
export * from './readiness.js';
export * from './refusal-log.js';
export * from './exposed-keys.js';
