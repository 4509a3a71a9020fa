export * from './mint-token.js';
