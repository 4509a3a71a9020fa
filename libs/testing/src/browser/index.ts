export * from './accessibility.js';
export * from './browser.js';
