export * from './api-document.js';
export * from './api-refusals.js';
export * from './docs.controller.js';
