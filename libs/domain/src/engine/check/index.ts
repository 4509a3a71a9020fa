export { checkDefinition } from './check-definition.js';
export type { Known, KnownProperties } from './checked-draft.js';
export { IDENTIFIER_PATTERN } from './identifiers.js';
export type { Problem } from './problem.js';
export { didYouMean } from './suggest.js';
