export * from './find-refusals.js';
