export * from './edits.js';
export * from './flow-text.js';
export * from './write-value.js';
export { dateWithZone } from '../../engine/definition/describe-dates.js';
export { formatDuration } from '../../engine/definition/durations.js';
