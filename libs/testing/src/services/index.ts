export * from './call.js';
export * from './describe-key-guard.js';
export * from './expect-documented.js';
export * from './raw-exchange.js';
export * from './refused-keys.js';
export * from './spawn-service.js';
export * from './start-service.js';
export * from './until.js';
