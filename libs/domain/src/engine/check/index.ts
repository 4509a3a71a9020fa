export { checkDefinition } from './check-definition.js';
export type { Known } from './rules/checked-draft.js';
export { checkSegments } from './rules/properties.js';
export { IDENTIFIER_PATTERN, isSid } from './rules/identifiers.js';
export type { Problem } from './problems/problem.js';
export { mentionsSegments, withSegments } from './with-segments.js';
export { didYouMean } from './problems/suggest.js';
