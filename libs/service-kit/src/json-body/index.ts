export * from './check-shape.js';
export * from './parse-json-body.js';
