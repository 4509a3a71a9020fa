export * from './admission.js';
export * from './busy.js';
export * from './deadline.js';
