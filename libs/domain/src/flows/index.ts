export * from './apply-flows.js';
export * from './block-uid.js';
export * from './commit-flow.js';
export * from './flow-catalogue.js';
export * from './flow-version.js';
export * from './flow.js';
export * from './list-flows.js';
export * from './resolved-flow.js';
export { storeDefinition } from './store-definition.js';
