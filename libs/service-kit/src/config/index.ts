export * from './build.js';
export * from './read-settings.js';
export * from './service-settings.js';
export * from './setting.js';
