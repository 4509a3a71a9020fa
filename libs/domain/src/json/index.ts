export * from './json.js';
export * from './raw-json.js';
