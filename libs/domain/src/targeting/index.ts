export type { Context, Subject } from './evaluation/context.js';
export { ExpressionSyntaxError } from './language/nodes.js';
export { evaluate, evaluateCondition, inGroup } from './evaluation/evaluate.js';
export { COMPARISONS, type Expression, textsOf } from './language/expression.js';
export { FUNCTIONS } from './language/functions.js';
export {
  type PropertyMention,
  eventMentions,
  propertyMentions,
  mentionedProperties,
} from './evaluation/mentioned-properties.js';
export { expandSegments, parseExpression, type SegmentTexts } from './language/parse.js';
export { trace, type Trace } from './evaluation/trace.js';
export { parseDate } from './values/compare.js';
export { Duration, Moment, type Value } from './values/value.js';
export * from './json/json.js';
export * from './json/raw-json.js';
export * from './values/recently-used.js';
