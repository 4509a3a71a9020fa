export * from './database/index.js';
export * from './engine/index.js';
export * from './environments/index.js';
export * from './errors/index.js';
export * from './flow-states/index.js';
export * from './flows/index.js';
export * from './targeting/index.js';
export * from './users/index.js';
