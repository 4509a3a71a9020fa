export { type CommandOrRead } from './advance.js';
export * from './flow-event-row.js';
export * from './flow-state-row.js';
export * from './flow-view.js';
export * from './load-history.js';
export * from './reset-run.js';
export * from './reset-users.js';
export * from './run-command.js';
export * from './state-changes.js';
