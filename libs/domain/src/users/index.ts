export * from './user.js';
export * from './identifier.js';
export * from './identify-rows.js';
export * from './identify.js';
export * from './load-property-paths.js';
export * from './load-property-values.js';
export * from './load-seen-properties.js';
export * from './subject-id.js';
