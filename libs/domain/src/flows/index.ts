export * from './block-uid.js';
export * from './flow-catalogue.js';
export * from './flow-version.js';
export * from './flow.js';
export * from './resolved-flow.js';
