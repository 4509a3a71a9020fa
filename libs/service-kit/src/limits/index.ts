export * from './admission.js';
export * from './budgets.js';
export * from './client-address.js';
export * from './connections.js';
export * from './deadline.js';
export * from './rate-limiter.js';
export { wasAnsweredEarly } from './request-lifecycle.js';
