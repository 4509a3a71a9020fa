export { checkDefinition } from './check-definition.js';
export type { Problem } from './problem.js';
