export * from './admit.js';
export * from './route-access.js';
