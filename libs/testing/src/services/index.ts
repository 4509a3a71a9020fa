export * from './call.js';
export * from './expect-documented.js';
export * from './spawn-service.js';
export * from './start-service.js';
