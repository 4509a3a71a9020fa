export * from './group.js';
export * from './identifier.js';
export * from './identify-request.js';
export * from './identify.js';
export * from './load-seen-properties.js';
export * from './membership.js';
export * from './subject-id.js';
export * from './user.js';
