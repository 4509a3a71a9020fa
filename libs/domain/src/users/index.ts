export * from './group.js';
export * from './membership.js';
export * from './subject-id.js';
export * from './user.js';
