export * from './hooks.js';
export * from './rich-text.js';
