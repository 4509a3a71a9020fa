export * from './block-uid.js';
export * from './flow-version.js';
export * from './flow.js';
