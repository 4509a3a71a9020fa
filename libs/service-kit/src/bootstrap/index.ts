export * from './bootstrap.js';
export * from './run-service.js';
export * from './running-service.js';
export * from './service-definition.js';
