export * from './attacks.js';
export * from './large-flow.js';
export * from './raw-client.js';
export * from './start-attack.js';
export * from './siege.js';
