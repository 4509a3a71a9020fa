export * from './browser.js';
export * from './spills.js';
