export * from './blocks.js';
export * from './play.js';
export * from './picture.js';
