export * from './is-same.js';
export * from './json.js';
export * from './raw-json.js';
