export * from './logger.js';
export * from './nest-logger.js';
export * from './refusal-log.js';
export * from './unavailable-log.js';
