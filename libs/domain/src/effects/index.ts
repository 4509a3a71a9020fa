export { type ClaimedEffect } from './queue/claimed-effect.js';
export { type EffectOutcome } from './carrying/effect-carrier.js';
export { EffectFailure, failureCode } from './carrying/effect-failure.js';
export * from './queue/effect-row.js';
export * from './effect-worker.js';
export * from './queue/list-effects.js';
export * from './queue/load-waiting.js';
export { type WebhookSettings } from './carrying/send-webhook.js';
