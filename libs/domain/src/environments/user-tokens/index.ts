export * from './check-claims.js';
export * from './user-token.js';
