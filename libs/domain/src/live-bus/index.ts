export * from './announcement-text.js';
export * from './courier-bus.js';
export * from './courier.js';
export * from './database-state-changes.js';
export * from './live-bus.js';
export * from './open-operator-access.js';
export * from './postgres-bus.js';
