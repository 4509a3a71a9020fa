export * from './export/export-events.js';
export * from './prune-events.js';
export * from './reader/event-schema.js';
export * from './reader/log-start.js';
export * from './reader/public-event.js';
