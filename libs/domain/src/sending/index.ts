export * from './header-rules.js';
export * from './post.js';
export * from './public-address.js';
export * from './send-failure.js';
export * from './webhook-signature.js';
