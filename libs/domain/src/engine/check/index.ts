export { checkDefinition } from './check-definition.js';
export type { Known, KnownProperties } from './rules/checked-draft.js';
export { IDENTIFIER_PATTERN, isSid } from './rules/identifiers.js';
export type { Problem } from './problems/problem.js';
export { didYouMean } from './problems/suggest.js';
