export * from './admission.js';
export * from './deadline.js';
