export { type ClaimedEffect } from './claimed-effect.js';
export { type EffectOutcome } from './effect-carrier.js';
export { EffectFailure, failureCode } from './effect-failure.js';
export * from './effect-row.js';
export * from './effect-worker.js';
export * from './list-effects.js';
export * from './load-waiting.js';
export { type WebhookSettings } from './send-webhook.js';
