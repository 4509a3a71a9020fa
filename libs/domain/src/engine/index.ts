export * from './command.js';
export * from './definition.js';
export * from './state.js';
