export { checkDefinition } from './check-definition.js';
export type { Problem } from './problem.js';
export { didYouMean } from './suggest.js';
