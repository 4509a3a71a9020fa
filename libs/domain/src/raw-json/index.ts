export * from './raw-json.js';
