export * from './validation-pipe.js';
