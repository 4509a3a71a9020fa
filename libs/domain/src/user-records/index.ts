export * from './delete-user.js';
export * from './export-user.js';
export * from './list-users.js';
export * from './load-user.js';
