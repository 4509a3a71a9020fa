export * from './bootstrap.js';
export * from './open-database.js';
export * from './running-service.js';
export * from './service-definition.js';
