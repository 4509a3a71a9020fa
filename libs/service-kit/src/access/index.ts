export * from './api-key.guard.js';
export * from './caller.decorator.js';
export * from './route-access.js';
