export * from './parse-json-body.js';
