export * from './edits.js';
export * from './flow-text.js';
export * from './write-value.js';
