export * from './accessibility.js';
export * from './browser.js';
export * from './spills.js';
