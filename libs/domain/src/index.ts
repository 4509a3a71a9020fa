export * from './engine/index.js';
export * from './targeting/index.js';
