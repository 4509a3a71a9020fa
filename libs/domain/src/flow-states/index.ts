export { type Asked } from './advance.js';
export * from './effect-row.js';
export * from './flow-event-row.js';
export * from './flow-state-row.js';
export * from './flow-view.js';
export * from './run-command.js';
export * from './state-changes.js';
