export * from './attacks.js';
export * from './raw-client.js';
export * from './start-attack.js';
export * from './siege.js';
