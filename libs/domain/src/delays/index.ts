export { type ClaimedDelay, type DueDelays, loadDueDelays } from './delay-queue.js';
export * from './delay-row.js';
export * from './delay-worker.js';
