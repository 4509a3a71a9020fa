export * from './api-key-guard.js';
export * from './route-access.js';
