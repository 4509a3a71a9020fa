export * from './attacks.js';
export * from './socket-attacks.js';
export * from './raw-client.js';
export * from './goodput.js';
export { UNREADING } from './framing-attacks.js';
