export * from './api-key.js';
export * from './api-key-guard.js';
export * from './caller.js';
export * from './environment.js';
export * from './environments.js';
export * from './key-format.js';
export * from './key-ring.js';
export * from './keys.js';
