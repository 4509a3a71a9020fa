export * from './public-key.js';
export * from './signer.js';
export * from './signers.js';
