export * from './api-key.js';
export * from './environment.js';
