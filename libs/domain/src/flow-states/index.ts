export * from './effect-row.js';
export * from './flow-event-row.js';
export * from './flow-state-row.js';
