export * from './end-session.js';
export * from './ended-session.js';
