export * from './describe-flow-types.js';
