export * from './read-rows.js';
export * from './rows.js';
export * from './words.js';
export * from './write-rows.js';
