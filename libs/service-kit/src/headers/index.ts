export * from './client-address.js';
export * from './cors.js';
export * from './request-id.js';
export * from './request-trace.js';
export * from './security-headers.js';
