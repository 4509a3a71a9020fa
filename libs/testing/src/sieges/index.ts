export * from './describe-attacks.js';
