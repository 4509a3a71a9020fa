export type { Context, Subject } from './context.js';
export { ExpressionSyntaxError } from './errors.js';
export { evaluate, evaluateCondition, inGroup } from './evaluate.js';
export { COMPARISONS, type Expression, textsOf } from './expression.js';
export { FUNCTIONS } from './functions.js';
export { type AskedProperty, askedProperties, mentionedProperties } from './mentioned-properties.js';
export { parseExpression } from './parse.js';
export { trace, type Trace } from './trace.js';
export { Duration, Moment, type Value } from './value.js';
