export * from './recently-used.js';
