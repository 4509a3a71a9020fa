export { type ClaimedEffect } from './claimed-effect.js';
export * from './effect-row.js';
export * from './effect-worker.js';
export * from './list-effects.js';
export { type WebhookSettings } from './send-webhook.js';
