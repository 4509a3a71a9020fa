export * from './metrics-server.js';
export * from './metrics.controller.js';
export * from './metrics.js';
