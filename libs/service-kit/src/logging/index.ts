export * from './logger.js';
export * from './logger-token.js';
export * from './nest-logger.js';
