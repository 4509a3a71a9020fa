export * from './bootstrap.js';
export * from './run-service.js';
export * from './running-service.js';
export * from './service-definition.js';
export * from './start-error.js';
export * from './tokens.js';
