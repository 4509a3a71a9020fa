export * from './admission.js';
export * from './buckets.js';
export * from './deadline.js';
export * from './drop-body.js';
export * from './open-counts.js';
export * from './rate-limits.js';
export * from './token-bucket.js';
