export * from './blocks.js';
export * from './context.js';
export * from './deep-freeze.js';
export * from './define-flow.js';
export * from './picture.js';
export * from './play.js';
