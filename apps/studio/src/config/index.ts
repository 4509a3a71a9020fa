export * from './check-settings.js';
export * from './settings.js';
export * from './read-settings.js';
