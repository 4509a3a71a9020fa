export * from './settings.js';
export * from './read-settings.js';
